// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Colours for line-based machine-near texts (LLVM IR, assembly, PTX, SASS, loop IR), for which
/// Scintilla's own lexers in Debian have no front.
#pragma once

#include "views/widgets/theme.h"

#include <Qsci/qscilexercustom.h>

namespace cutaway::views {

class ListingLexer : public QsciLexerCustom {
    Q_OBJECT
public:
    enum Style { Plain, Comment, Keyword, Number, Register, Label, Type, String };
    /// \param language as in record::Code::language.
    ListingLexer(const QString& language, QObject* parent);

    const char* language() const override { return "listing"; }
    QString description(int style) const override;
    void styleText(int start, int end) override;

private:
    void styleLine(const QByteArray& line, bool& comment);
    QByteArray commentMark_;
    bool firstWordIsKeyword_ = false;
};

/// Sets colours and fonts of any lexer used in the window.
void applyTheme(QsciLexer* lexer, const Theme& theme);

/// The lexer for a language of record::Code, or for "python"; null: plain text.
QsciLexer* makeLexer(const QString& language, QObject* parent);

} // namespace cutaway::views
