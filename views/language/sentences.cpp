// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/language/sentences.h"

#include "views/language/language.h"

#include <QFile>
#include <QHash>
#include <QMutex>
#include <QRegularExpression>
#include <QStringList>
#include <QXmlStreamReader>
#include <algorithm>
#include <memory>
#include <vector>

namespace cutaway::views {

namespace {

constexpr qsizetype kMostKept = 32768;
// Whoever writes a record writes its sentences, too: letters of one that is read, and places tried
// for the blanks of all texts.
constexpr qsizetype kLongest = 4096;
constexpr int kMostTried = 50'000;

/// "{} rows of {:.1f}": what stands around the blanks, and which of them are filled by numbers.
struct Sentence {
    QStringList around;
    std::vector<bool> numbers;
    QString translation;
    qsizetype letters = 0; ///< of what stands around
};

const QRegularExpression& blank() {
    static const QRegularExpression form(R"(\{(\d*)(:[^}]*)?\})");
    return form;
}

Sentence sentenceOf(const QString& source, const QString& translation) {
    Sentence one;
    one.translation = translation;
    qsizetype at = 0;
    for (auto match = blank().globalMatch(source); match.hasNext();) {
        const auto found = match.next();
        one.around << source.mid(at, found.capturedStart() - at);
        one.numbers.push_back(!found.captured(2).isEmpty());
        at = found.capturedEnd();
    }
    one.around << source.mid(at);
    for (const QString& text : one.around)
        one.letters += text.size();
    return one;
}

bool isNumber(QStringView text) {
    return !text.isEmpty() && std::ranges::all_of(text, [](QChar letter) {
        return letter.isDigit() || QStringView(u"+-.einfa").contains(letter);
    });
}

/// What fills the blanks from \p blankAt on, where \p rest begins with that. \param left places to try
bool fill(const Sentence& of, size_t blankAt, QStringView rest, std::vector<QStringView>& filled,
          int& left) {
    const QString& behind = of.around[static_cast<qsizetype>(blankAt) + 1];
    const bool last = blankAt + 1 == of.numbers.size();
    const auto goesOn = [&](qsizetype at) {
        const QStringView here = rest.left(at);
        if (--left < 0) return false;
        if (of.numbers[blankAt] && !isNumber(here)) return false;
        filled.push_back(here);
        if (last || fill(of, blankAt + 1, rest.mid(at + behind.size()), filled, left)) return true;
        filled.pop_back();
        return false;
    };
    if (last) return rest.endsWith(behind) && goesOn(rest.size() - behind.size());
    for (qsizetype at = rest.indexOf(behind); at >= 0 && left > 0;
         at = rest.indexOf(behind, at + 1))
        if (goesOn(at)) return true;
    return false;
}

class Catalogue {
public:
    explicit Catalogue(const QString& language) {
        QFile file(QString(":/translations/sentences_%1.ts").arg(language));
        if (!file.open(QIODevice::ReadOnly)) return; // in English they are as they are
        QXmlStreamReader xml(&file);
        QString source;
        while (!xml.atEnd()) {
            if (xml.readNext() != QXmlStreamReader::StartElement) continue;
            if (xml.name() == QLatin1String("source")) source = xml.readElementText();
            if (xml.name() == QLatin1String("translation"))
                all_.push_back(sentenceOf(source, xml.readElementText()));
        }
        // What has the most words of its own is meant.
        std::ranges::stable_sort(all_, std::ranges::greater(), &Sentence::letters);
    }

    QString told(QStringView sentence) const {
        std::vector<QStringView> filled;
        int left = kMostTried;
        for (const Sentence& one : all_) {
            if (sentence.size() < one.letters || !sentence.startsWith(one.around.front()) ||
                !sentence.endsWith(one.around.back()))
                continue;
            filled.clear();
            const bool is =
                one.numbers.empty()
                    ? sentence == one.around.front()
                    : fill(one, 0, sentence.mid(one.around.front().size()), filled, left);
            if (is) return translated(one, filled);
        }
        return sentence.toString();
    }
    bool isEmpty() const { return all_.empty(); }

private:
    QString translated(const Sentence& one, const std::vector<QStringView>& filled) const {
        QString text;
        qsizetype at = 0;
        size_t next = 0;
        for (auto match = blank().globalMatch(one.translation); match.hasNext();) {
            const auto found = match.next();
            text += one.translation.mid(at, found.capturedStart() - at);
            const QString number = found.captured(1);
            const size_t of = number.isEmpty() ? next++ : number.toULong();
            // Names are single words, and stay.
            if (of < filled.size())
                text += filled[of].contains(u' ') ? told(filled[of]) : filled[of].toString();
            at = found.capturedEnd();
        }
        return text + one.translation.mid(at);
    }

    std::vector<Sentence> all_;
};

struct Spoken {
    QMutex mutex;
    QString language;
    std::unique_ptr<Catalogue> catalogue;
    QHash<QString, QString> known;
};

} // namespace

QString told(const QString& sentence) {
    static Spoken now;
    const QMutexLocker lock(&now.mutex);
    if (const QString language = spoken(); !now.catalogue || now.language != language) {
        now.language = language;
        now.catalogue = std::make_unique<Catalogue>(language);
        now.known.clear();
    }
    if (now.catalogue->isEmpty() || sentence.isEmpty() || sentence.size() > kLongest)
        return sentence;
    if (const auto known = now.known.constFind(sentence); known != now.known.cend()) return *known;
    if (now.known.size() >= kMostKept) now.known.clear();
    return *now.known.insert(sentence, now.catalogue->told(sentence));
}

QString told(const std::string& sentence) {
    return told(QString::fromStdString(sentence));
}

QString told(const base::Diagnostic& problem) {
    QString text = told(problem.message);
    if (const std::string place = problem.where.str(); !place.empty())
        text = QString::fromStdString(place) + ": " + text;
    if (problem.hint.empty()) return text;
    const QString hint = told(problem.hint);
    return text + ". " + hint.left(1).toUpper() + hint.mid(1) + ".";
}

} // namespace cutaway::views
