// SPDX-License-Identifier: GPL-3.0-or-later
// The pictures of the start page: there is one of every sample but the training scripts, and they
// are of what is compiled today. CUTAWAY_WRITE_THUMBNAILS=1 QTEST_FUNCTION_TIMEOUT=3600000 writes them
// anew, in minutes.
#include "core/driver/session.h"
#include "views/models/thumbnail.h"
#include "views/widgets/sample_card.h"
#include "views/widgets/start_page.h"

#include <QFile>
#include <QJsonDocument>
#include <QtTest>

using namespace cutaway;
using namespace cutaway::views;

static const QString kPictures = QString(CUTAWAY_SOURCE_DIR) + "/resources/thumbnails.json";

class TestThumbnails : public QObject {
    Q_OBJECT

    static Thumbnail compiled(const QString& path) {
        driver::Tools tools{std::string()};
        driver::SessionOptions options;
        options.path = path.toStdString();
        return thumbnailOf(driver::compile(tools, options).record);
    }
    static QList<Sample> samples() {
        QList<Sample> all = samplesIn(CUTAWAY_SOURCE_DIR "/samples");
        all.removeIf([](const Sample& one) { return one.name.startsWith("training/"); });
        return all;
    }

private Q_SLOTS:
    void every_sample_has_a_picture() {
        if (qEnvironmentVariableIsSet("CUTAWAY_WRITE_THUMBNAILS")) {
            QByteArrayList lines;
            for (const Sample& sample : samples()) {
                const Thumbnail made = compiled(sample.path);
                if (made.isEmpty()) qInfo() << "nothing was compiled:" << sample.name;
                const QByteArray json = QJsonDocument(made.json()).toJson(QJsonDocument::Compact);
                lines << '"' + sample.name.toUtf8() + "\": " + json;
            }
            QFile file(kPictures);
            QVERIFY(file.open(QIODevice::WriteOnly));
            file.write("{\n" + lines.join(",\n") + "\n}\n");
            return;
        }
        QVERIFY(samples().size() > 15);
        for (const Sample& sample : samples()) {
            const Thumbnail& picture = shippedThumbnail(sample.name);
            QVERIFY2(!picture.isEmpty(), qPrintable(sample.name + " has no picture: run "
                                                                  "CUTAWAY_WRITE_THUMBNAILS=1 "
                                                                  "test_thumbnails"));
            for (const Thumbnail::Node& node : picture.nodes)
                QVERIFY(QRectF({}, picture.size).adjusted(-3, -3, 3, 3).contains(node.rect));
        }
    }
    void pictures_are_of_what_is_compiled() {
        for (const char* name : {"double_cosine.py", "mlp_train.py"}) {
            const Thumbnail now = compiled(QString(CUTAWAY_SOURCE_DIR "/samples/") + name);
            const Thumbnail& kept = shippedThumbnail(name);
            QCOMPARE(kept.bands.size(), size_t(2));
            QCOMPARE(now.nodes.size(), kept.nodes.size());
            QCOMPARE(now.edges.size(), kept.edges.size());
            for (size_t i = 0; i < now.nodes.size(); ++i)
                QCOMPARE(now.nodes[i].kind, kept.nodes[i].kind);
        }
    }
    void a_card_is_a_button_that_tells_what_it_teaches() {
        SampleCard card(shippedThumbnail("double_cosine.py"), "double cosine", "one saved tensor",
                        "Start here");
        card.setTheme(lightTheme());
        card.resize(card.sizeHint());
        QCOMPARE(card.accessibleName(), QString("double cosine, Start here"));
        QCOMPARE(card.accessibleDescription(), QString("one saved tensor"));
        QSignalSpy clicked(&card, &QAbstractButton::clicked);
        card.show();
        const QImage plain = card.grab().toImage();
        card.setFocus(Qt::TabFocusReason);
        QTRY_VERIFY(card.hasFocus());
        QVERIFY(card.grab().toImage() != plain); // it is seen where the keyboard is
        QTest::keyClick(&card, Qt::Key_Space);
        QCOMPARE(clicked.count(), 1);
    }
};

QTEST_MAIN(TestThumbnails)
#include "test_thumbnails.moc"
