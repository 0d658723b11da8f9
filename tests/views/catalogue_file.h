// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// A catalogue of translations (.ts), read for tests.
#pragma once

#include <QFile>
#include <QStringList>
#include <QXmlStreamReader>

namespace cutaway::views::testing {

struct CatalogueMessage {
    QString context, source;
    QStringList forms; ///< one, or one for each number
    bool numerus = false, finished = false;
    QString name() const { return context + ": " + source; }
};

/// \returns nothing where the file cannot be read or is no XML
inline std::vector<CatalogueMessage> readCatalogue(const QString& path) {
    std::vector<CatalogueMessage> all;
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) return all;
    QXmlStreamReader xml(&file);
    QString context;
    while (!xml.atEnd()) {
        if (xml.readNext() != QXmlStreamReader::StartElement) continue;
        const auto name = xml.name();
        if (name == u"name") context = xml.readElementText();
        if (name == u"message")
            all.push_back({context, {}, {}, xml.attributes().value("numerus") == u"yes", false});
        if (all.empty()) continue;
        if (name == u"source") all.back().source = xml.readElementText();
        if (name == u"numerusform") all.back().forms << xml.readElementText();
        if (name == u"translation") {
            all.back().finished = !xml.attributes().hasAttribute("type");
            if (!all.back().numerus) all.back().forms << xml.readElementText();
        }
    }
    return xml.hasError() ? std::vector<CatalogueMessage>() : all;
}

} // namespace cutaway::views::testing
