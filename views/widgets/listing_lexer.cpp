// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/widgets/listing_lexer.h"

#include <QSet>
#include <Qsci/qscilexercpp.h>
#include <Qsci/qscilexerpython.h>
#include <Qsci/qsciscintilla.h>
#include <cctype>

namespace cutaway::views {

namespace {

bool wordChar(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.' || c == '$';
}

const QSet<QByteArray>& listingKeywords() {
    static const QSet<QByteArray> words{"define",
                                        "declare",
                                        "ret",
                                        "br",
                                        "call",
                                        "load",
                                        "store",
                                        "phi",
                                        "select",
                                        "icmp",
                                        "fcmp",
                                        "fadd",
                                        "fsub",
                                        "fmul",
                                        "fdiv",
                                        "add",
                                        "sub",
                                        "mul",
                                        "shl",
                                        "lshr",
                                        "ashr",
                                        "and",
                                        "or",
                                        "xor",
                                        "label",
                                        "tail",
                                        "alloca",
                                        "getelementptr",
                                        "bitcast",
                                        "zext",
                                        "sext",
                                        "trunc",
                                        "sitofp",
                                        "fptosi",
                                        "fneg",
                                        "switch",
                                        "shufflevector",
                                        "insertelement",
                                        "extractelement",
                                        "attributes",
                                        "target",
                                        "source_filename",
                                        "for",
                                        "in",
                                        "parallel",
                                        "reduce",
                                        "sum",
                                        "max",
                                        "min",
                                        "if",
                                        "let",
                                        "buffer",
                                        "kernel",
                                        "return",
                                        "write",
                                        "read",
                                        "matmul",
                                        "rows",
                                        "inner",
                                        "phase"};
    return words;
}

const QSet<QByteArray>& listingTypes() {
    static const QSet<QByteArray> words{"i1",    "i8",     "i16", "i32",      "i64",
                                        "float", "double", "ptr", "void",     "half",
                                        "f32",   "f64",    "b8",  "metadata", "x"};
    return words;
}

} // namespace

ListingLexer::ListingLexer(const QString& language, QObject* parent) : QsciLexerCustom(nullptr) {
    setParent(parent);
    if (language.startsWith("llvm"))
        commentMark_ = ";";
    else if (language == "asm")
        commentMark_ = "#";
    else
        commentMark_ = "//";
    firstWordIsKeyword_ = language == "asm" || language == "ptx" || language == "sass";
}

QString ListingLexer::description(int style) const {
    static const char* const names[] = {"Plain",    "Comment", "Keyword", "Number",
                                        "Register", "Label",   "Type",    "String"};
    return style >= 0 && style <= String ? QString::fromLatin1(names[style]) : QString();
}

void ListingLexer::styleText(int start, int end) {
    if (!editor()) return;
    // Whole lines, so that the first word of a line is known.
    long line = editor()->SendScintilla(QsciScintilla::SCI_LINEFROMPOSITION, start);
    long from = editor()->SendScintilla(QsciScintilla::SCI_POSITIONFROMLINE, line);
    QByteArray text(end - from + 1, '\0');
    editor()->SendScintilla(QsciScintilla::SCI_GETTEXTRANGE, static_cast<int>(from), end,
                            text.data());
    text.chop(1);
    startStyling(static_cast<int>(from));
    qsizetype at = 0;
    while (at < text.size()) {
        qsizetype stop = text.indexOf('\n', at);
        stop = stop < 0 ? text.size() : stop + 1;
        bool comment = false;
        styleLine(text.mid(at, stop - at), comment);
        at = stop;
    }
}

void ListingLexer::styleLine(const QByteArray& line, bool& comment) {
    bool first = true;
    qsizetype at = 0;
    auto emitRun = [&](qsizetype length, Style style) {
        setStyling(static_cast<int>(length), style);
        at += length;
    };
    while (at < line.size() && !comment) {
        char c = line[at];
        if (line.mid(at, commentMark_.size()) == commentMark_) {
            comment = true;
            break;
        }
        qsizetype end = at + 1;
        if (c == '"') {
            while (end < line.size() && line[end] != '"')
                ++end;
            emitRun(std::min<qsizetype>(end + 1, line.size()) - at, String);
        } else if (c == '%' || c == '@' || c == '!') {
            while (end < line.size() && wordChar(line[end]))
                ++end;
            emitRun(end - at, c == '@' ? Label : c == '!' ? Comment : Register);
        } else if (std::isdigit(static_cast<unsigned char>(c))) {
            while (end < line.size() &&
                   (wordChar(line[end]) || ((line[end] == '+' || line[end] == '-') &&
                                            (line[end - 1] == 'e' || line[end - 1] == 'E'))))
                ++end;
            emitRun(end - at, Number);
            first = false;
        } else if (wordChar(c)) {
            while (end < line.size() && wordChar(line[end]))
                ++end;
            QByteArray word = line.mid(at, end - at);
            bool label = end < line.size() && line[end] == ':' && first;
            Style style = label ? Label
                          : (firstWordIsKeyword_ && first) || listingKeywords().contains(word)
                              ? Keyword
                          : listingTypes().contains(word) ? Type
                                                          : Plain;
            emitRun(end - at, style);
            first = false;
        } else {
            emitRun(1, Plain);
        }
    }
    if (comment) emitRun(line.size() - at, Comment);
}

void applyTheme(QsciLexer* lexer, const Theme& theme) {
    QFont font = codeFont();
    lexer->setDefaultFont(font);
    lexer->setDefaultPaper(theme.base);
    lexer->setDefaultColor(theme.text);
    for (int style = 0; style < 128; ++style) {
        lexer->setFont(font, style);
        lexer->setPaper(theme.base, style);
        lexer->setColor(theme.text, style);
    }
    auto color = [&](std::initializer_list<int> styles, const QColor& to) {
        for (int style : styles)
            lexer->setColor(to, style);
    };
    if (qobject_cast<QsciLexerPython*>(lexer)) {
        using P = QsciLexerPython;
        color({P::Comment, P::CommentBlock}, theme.comment);
        color({P::Number}, theme.number);
        color({P::DoubleQuotedString, P::SingleQuotedString, P::TripleSingleQuotedString,
               P::TripleDoubleQuotedString, P::DoubleQuotedFString, P::SingleQuotedFString,
               P::UnclosedString},
              theme.string);
        color({P::Keyword}, theme.keyword);
        color({P::ClassName, P::FunctionMethodName}, theme.name);
        color({P::Decorator, P::HighlightedIdentifier}, theme.type);
    } else if (qobject_cast<QsciLexerCPP*>(lexer)) {
        using C = QsciLexerCPP;
        color({C::Comment, C::CommentLine, C::CommentDoc, C::CommentLineDoc}, theme.comment);
        color({C::Number}, theme.number);
        color({C::DoubleQuotedString, C::SingleQuotedString, C::RawString}, theme.string);
        color({C::Keyword}, theme.keyword);
        color({C::KeywordSet2}, theme.type);
        color({C::PreProcessor}, theme.label);
    } else {
        color({ListingLexer::Comment}, theme.comment);
        color({ListingLexer::Keyword}, theme.keyword);
        color({ListingLexer::Number}, theme.number);
        color({ListingLexer::Register}, theme.name);
        color({ListingLexer::Label}, theme.label);
        color({ListingLexer::Type}, theme.type);
        color({ListingLexer::String}, theme.string);
    }
}

QsciLexer* makeLexer(const QString& language, QObject* parent) {
    if (language == "python") return new QsciLexerPython(parent);
    if (language == "cpp" || language == "cuda") {
        auto* lexer = new QsciLexerCPP(parent);
        lexer->setFoldPreprocessor(false);
        return lexer;
    }
    if (language.isEmpty() || language == "text") return nullptr;
    return new ListingLexer(language, parent);
}

} // namespace cutaway::views
