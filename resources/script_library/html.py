# SPDX-License-Identifier: Apache-2.0
"""Text in HTML."""
import re as _re

# The characters from 160 to 255, in order.
_LATIN = (
    "nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute "
    "micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring "
    "AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml "
    "times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil "
    "egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash "
    "ugrave uacute ucirc uuml yacute thorn yuml ")
_NAMES = {"amp": "&", "lt": "<", "gt": ">", "quot": '"', "apos": "'", "hellip": "\u2026", "mdash": "\u2014",
          "ndash": "\u2013", "lsquo": "\u2018", "rsquo": "\u2019", "ldquo": "\u201c", "rdquo": "\u201d",
          "euro": "\u20ac", "bull": "\u2022", "trade": "\u2122", "larr": "\u2190", "rarr": "\u2192",
          **{name: chr(160 + i) for i, name in enumerate(_LATIN.split())}}


def escape(s, quote=True):
    s = s.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return s.replace('"', "&quot;").replace("'", "&#x27;") if quote else s


def _character(found):
    name = found.group(1)
    if name.startswith("#"):
        return chr(int(name[2:], 16) if name[1] in "xX" else int(name[1:]))
    return _NAMES.get(name, found.group())


def unescape(s):
    return _re.sub(r"&(#\d+|#[xX][0-9a-fA-F]+|\w+);", _character, s)
