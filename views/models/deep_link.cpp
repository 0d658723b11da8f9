// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/models/deep_link.h"

#include <QUrl>
#include <QUrlQuery>

namespace cutaway::views {

static const QLatin1String kScheme("cutaway");

QString DeepLink::text() const {
    QUrl url;
    url.setPath(path, QUrl::DecodedMode);
    // A plus would be read as a space by others.
    const auto encoded = [](const QString& text) {
        return QString::fromLatin1(QUrl::toPercentEncoding(text, "/:[]"));
    };
    QStringList fields;
    if (!size.isEmpty()) fields << "size=" + encoded(size);
    if (!select.isEmpty()) fields << "select=" + encoded(select);
    if (!box.isEmpty()) fields << "box=" + encoded(box);
    const QString text = kScheme + "://" + url.path(QUrl::FullyEncoded);
    return fields.isEmpty() ? text : text + "?" + fields.join('&');
}

std::optional<DeepLink> readLink(const QString& text) {
    const QUrl url(text.trimmed());
    if (url.scheme() != kScheme || !url.host().isEmpty() || !url.path().startsWith('/')) return {};
    const QUrlQuery query(url);
    return DeepLink{url.path(QUrl::FullyDecoded), query.queryItemValue("size", QUrl::FullyDecoded),
                    query.queryItemValue("select", QUrl::FullyDecoded),
                    query.queryItemValue("box", QUrl::FullyDecoded)};
}

} // namespace cutaway::views
