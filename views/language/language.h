// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Which language the window speaks. The catalogues are resources/translations/*.ts, compiled into
/// the program; every program that shows words starts in English, whose catalogue holds the
/// plurals. The compiler's reasons have a catalogue of their own (sentences.h); errors of a script
/// are English in every language, as Python's and PyTorch's are.
#pragma once

#include <QStringList>

namespace cutaway::views {

/// Languages with a catalogue: "en", "zh".
QStringList languages();
/// A language in its own words, which are never translated: "English", "中文".
QString languageName(const QString& id);
/// A language in English: "English", "Chinese".
QString languageInEnglish(const QString& id);
/// The one that is spoken for a setting: \p choice itself, or for "system" and what nobody knows
/// that of the system if there is a catalogue, else English.
QString spokenFor(const QString& choice);
/// The language that is spoken.
QString spoken();
/// Speaks that language from now on, in what is shown from now on: widgets that are there keep
/// their words. Dates and Qt's own dialogs follow.
void speak(const QString& choice);

} // namespace cutaway::views
