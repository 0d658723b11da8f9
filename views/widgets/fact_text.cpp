// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/widgets/fact_text.h"

#include <QCoreApplication>

namespace cutaway::views {

namespace {
struct Words {
    Q_DECLARE_TR_FUNCTIONS(FactText)
};

constexpr int kLongestTip = 96; ///< characters of one fact

QString codeSpan(const QString& text) {
    return QString("<span style='font-family:\"%1\"'>%2</span>")
        .arg(codeFont().family(), text.toHtmlEscaped());
}

/// A few words stay on one line: "289 KiB · 2.40 %".
QString together(const QString& text) {
    constexpr qsizetype kFewWords = 20;
    const QString words = text.trimmed();
    if (words.size() > kFewWords) return text;
    return QString(text).replace(words, QString(words).replace(' ', QChar::Nbsp));
}

QString pieceHtml(const FactPiece& piece, const Theme& theme, bool links) {
    QString text = piece.code ? codeSpan(piece.text) : together(piece.text).toHtmlEscaped();
    if (piece.tone != Tone::Normal)
        text = QString("<span style='color:%1'>%2</span>").arg(theme.tone(piece.tone).name(), text);
    if (links && piece.item != kNoItem)
        text = QString("<a href='item:%1' style='color:%2;text-decoration:none'>%3</a>")
                   .arg(piece.item)
                   .arg(theme.accent.name(), text);
    return text;
}

QString muted(const QString& text, const Theme& theme) {
    return QString("<span style='color:%1'>%2</span>")
        .arg(theme.muted.name(), text.toHtmlEscaped());
}

} // namespace

QString factsHtml(const ItemFacts& facts, const Theme& theme) {
    QString html = QString("<p style='margin:0 0 2px 0'><b style='font-size:large'>%1</b>  %2</p>")
                       .arg(facts.title.toHtmlEscaped(), muted(facts.kind, theme));
    if (!facts.head.isEmpty())
        html += QString("<p style='margin:0 0 6px 0'>%1</p>").arg(codeSpan(facts.head));
    QStringList places;
    for (size_t i = 0; i < facts.places.size(); ++i)
        places << QString("<a href='place:%1' style='color:%2;text-decoration:none'>%3</a>")
                      .arg(i)
                      .arg(theme.accent.name(), facts.places[i].title.toHtmlEscaped());
    if (!places.isEmpty())
        html += QString("<p style='margin:0 0 4px 0'>%1 %2</p>")
                    .arg(muted(Words::tr("Reveal in"), theme),
                         places.join(
                             QString(" <span style='color:%1'>·</span> ").arg(theme.faint.name())));
    for (const FactSection& section : facts.sections) {
        html += QString("<p style='margin:8px 0 1px 0;color:%1'><b>%2</b></p>"
                        "<table cellspacing='0' cellpadding='1'>")
                    .arg(theme.muted.name(), section.title.toHtmlEscaped());
        for (const Fact& fact : section.facts) {
            QString value;
            for (const FactPiece& piece : fact.pieces)
                value += pieceHtml(piece, theme, true);
            html += fact.label.isEmpty()
                        ? QString("<tr><td colspan='2'>%1</td></tr>").arg(value)
                        : QString("<tr><td style='padding-right:10px'>%1</td><td>%2</td></tr>")
                              .arg(muted(fact.label, theme), value);
        }
        html += "</table>";
    }
    return html;
}

QString factsTip(const ItemFacts& facts, const Theme& theme) {
    if (facts.kind.isEmpty()) return {};
    QString html = QString("<p style='white-space:pre;margin:0'><b>%1</b>  %2</p>")
                       .arg(facts.title.toHtmlEscaped(), muted(facts.kind, theme));
    if (!facts.head.isEmpty())
        html += QString("<p style='white-space:pre;margin:0'>%1</p>")
                    .arg(codeSpan(facts.head.left(kLongestTip)));
    html += "<table cellspacing='0' cellpadding='0'>";
    for (const FactSection& section : facts.sections)
        for (const Fact& fact : section.facts) {
            if (!fact.brief) continue;
            QString value;
            qsizetype room = kLongestTip;
            for (FactPiece piece : fact.pieces) {
                if (room <= 0) break;
                if (piece.text.size() > room) piece.text = piece.text.left(room) + "…";
                room -= piece.text.size();
                value += pieceHtml(piece, theme, false);
            }
            html +=
                QString("<tr><td style='padding-right:8px'>%1</td><td>%2</td></tr>")
                    .arg(muted(fact.label.isEmpty() ? section.title : fact.label, theme), value);
        }
    return html + "</table>";
}

} // namespace cutaway::views
