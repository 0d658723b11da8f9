// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/widgets/start_page.h"

#include "views/models/format.h"
#include "views/models/tour.h"
#include "views/widgets/elided_button.h"
#include "views/widgets/flow_layout.h"
#include "views/widgets/sample_card.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QFrame>
#include <QKeyEvent>
#include <QLabel>
#include <QPushButton>
#include <QRegularExpression>
#include <QScrollArea>
#include <QVBoxLayout>

namespace cutaway::views {

namespace {

constexpr int kCardGap = 10;

/// What a script says of itself first: a paragraph of its docstring or of its first comment.
QString firstWords(const QString& path) {
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) return {};
    const QString head = QString::fromUtf8(file.read(4096));
    static const QRegularExpression doc(R"(^\s*(?:#[^\n]*\n\s*)*"""(.*?)(?:\n\n|"""))",
                                        QRegularExpression::DotMatchesEverythingOption);
    if (const auto match = doc.match(head); match.hasMatch()) return match.captured(1).simplified();
    static const QRegularExpression comment(R"(^# (?!SPDX).+(?:\n# .+)*)",
                                            QRegularExpression::MultilineOption);
    static const QRegularExpression sign("^# ", QRegularExpression::MultilineOption);
    return comment.match(head).captured().remove(sign).simplified();
}

QVBoxLayout* card(QVBoxLayout* column, const QString& title, int stretch) {
    auto* frame = new QFrame;
    frame->setObjectName("card");
    auto* inner = new QVBoxLayout(frame);
    inner->setContentsMargins(18, 14, 18, 14);
    inner->setSpacing(4);
    auto* heading = new QLabel(title);
    heading->setObjectName("heading");
    inner->addWidget(heading);
    auto* list = new QVBoxLayout;
    list->setSpacing(2);
    inner->addLayout(list);
    inner->addStretch(1);
    column->addWidget(frame, stretch);
    return list;
}

void clear(QLayout* layout) {
    while (QLayoutItem* item = layout->takeAt(0)) {
        delete item->widget();
        delete item;
    }
}

template <typename Button = ElidedButton> // a long name must not take the samples' room
QPushButton* link(const QString& text, const QString& tip) {
    auto* button = new Button(text);
    button->setObjectName("link");
    button->setToolTip(tip);
    button->setCursor(Qt::PointingHandCursor);
    return button;
}

QLabel* note(const QString& text) {
    auto* label = new QLabel(text);
    label->setObjectName("muted");
    label->setWordWrap(true);
    label->setContentsMargins(6, 0, 6, 6);
    return label;
}

} // namespace

/// What the README beside the samples says of each, in its order: that of teaching.
static QList<QPair<QString, QString>> taught(const QString& folder) {
    QList<QPair<QString, QString>> rows;
    QFile file(folder + "/README.md");
    if (!file.open(QIODevice::ReadOnly)) return rows;
    static const QRegularExpression row(R"(^\| `(\w+\.py)` \| (.+) \|$)",
                                        QRegularExpression::MultilineOption);
    auto all = row.globalMatch(QString::fromUtf8(file.readAll()));
    while (all.hasNext()) {
        const auto match = all.next();
        rows << qMakePair(match.captured(1), match.captured(2).remove('`'));
    }
    return rows;
}

QList<Sample> samplesIn(const QString& folder) {
    QList<Sample> samples;
    if (folder.isEmpty()) return samples; // not the working directory
    auto titleOf = [](const QFileInfo& file) { return file.completeBaseName().replace('_', ' '); };
    QStringList known;
    for (const auto& [name, teaches] : taught(folder)) {
        const QFileInfo file(folder + "/" + name);
        if (!file.exists()) continue;
        known << name;
        samples << Sample{file.absoluteFilePath(), titleOf(file), teaches, {}, name};
    }
    for (const QFileInfo& file : QDir(folder).entryInfoList({"*.py"}, QDir::Files, QDir::Name))
        if (!known.contains(file.fileName()))
            samples << Sample{file.absoluteFilePath(),
                              titleOf(file),
                              firstWords(file.absoluteFilePath()),
                              {},
                              file.fileName()};
    for (const auto& [below, group] :
         {std::pair("/models", StartPage::tr("Known architectures")),
          std::pair("/training", StartPage::tr("Whole training scripts"))})
        for (const QFileInfo& file :
             QDir(folder + below).entryInfoList({"*.py"}, QDir::Files, QDir::Name))
            samples << Sample{file.absoluteFilePath(), titleOf(file),
                              firstWords(file.absoluteFilePath()), group,
                              QString(below + 1) + "/" + file.fileName()};
    for (Sample& sample : samples)
        sample.teaches =
            QCoreApplication::translate("Samples", sample.teaches.toUtf8().constData());
    return samples;
}

StartPage::StartPage(QWidget* parent) : QWidget(parent) {
    setObjectName("startPage");
    setAttribute(Qt::WA_StyledBackground);
    auto* scroll = new QScrollArea;
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    auto* page = new QWidget;
    page->setObjectName("startPage");
    page->setAttribute(Qt::WA_StyledBackground);
    scroll->setWidget(page);
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->addWidget(scroll);
    auto* centered = new QHBoxLayout(page);
    auto* column = new QVBoxLayout;
    centered->addStretch(1);
    centered->addLayout(column, 20);
    centered->addStretch(1);
    column->setContentsMargins(0, 40, 0, 40);
    column->setSpacing(14);
    auto* title = new QLabel(tr("Cutaway"));
    title->setObjectName("hero");
    column->addWidget(title);
    auto* what =
        new QLabel(tr("See everything a tensor compiler does with your model: captured graph, "
                      "joint graph, partition, fused kernels, generated code, machine "
                      "code, and what it costs when it runs."));
    what->setObjectName("muted");
    what->setWordWrap(true);
    column->addWidget(what);
    auto* buttons = new QHBoxLayout;
    auto* open = new QPushButton(tr("Open a script…"));
    open->setObjectName("primary");
    auto* fresh = new QPushButton(tr("New script"));
    buttons->addWidget(open);
    buttons->addWidget(fresh);
    buttons->addWidget(new QLabel(tr("or drop a file anywhere")), 1);
    column->addLayout(buttons);
    auto* opens =
        new QLabel(tr("Opens scripts in PyTorch's Python (.py), programs that torch.export "
                      "saved (.pt2), ONNX models (.onnx) and records of compilations (.cutaway). "
                      "Other stored models hold no script: open the one they came from."));
    opens->setObjectName("muted");
    opens->setWordWrap(true);
    column->addWidget(opens);
    connect(open, &QPushButton::clicked, this, &StartPage::openRequested);
    connect(fresh, &QPushButton::clicked, this, &StartPage::newRequested);
    auto* cards = new QHBoxLayout;
    cards->setSpacing(14);
    auto *left = new QVBoxLayout, *right = new QVBoxLayout;
    cards->addLayout(left, 5);
    cards->addLayout(right, 2);
    column->addLayout(cards);
    column->addStretch(1);
    gallery_ = card(left, tr("Samples"), 1);
    recent_ = card(right, tr("Recent"), 0);
    tours_ = card(right, tr("Tours"), 0);
    right->addStretch(1); // no card is larger than what it holds
    fillTours();
}

void StartPage::fill(const QStringList& recent, const QList<Draft>& drafts,
                     const QList<Sample>& samples) {
    clear(recent_);
    clear(gallery_);
    for (const Draft& draft : drafts) {
        auto* button =
            link(tr("%1 — unsaved edits").arg(draft.title()), format::shortPath(draft.path));
        connect(button, &QPushButton::clicked, this, [this, draft] { emit draftChosen(draft); });
        recent_->addWidget(button);
        recent_->addWidget(note(tr("%1, %2").arg(
            QLocale().toString(draft.time, QLocale::ShortFormat),
            draft.path.isEmpty() ? tr("never saved")
                                 : format::shortPath(QFileInfo(draft.path).absolutePath()))));
    }
    for (const QString& path : recent) {
        auto* button = link(QFileInfo(path).fileName(), format::shortPath(path));
        button->setEnabled(QFileInfo::exists(path));
        connect(button, &QPushButton::clicked, this, [this, path] { emit fileChosen(path); });
        recent_->addWidget(button);
        recent_->addWidget(note(format::shortPath(QFileInfo(path).absolutePath())));
    }
    if (recent.isEmpty() && drafts.isEmpty())
        recent_->addWidget(note(tr("Files you open appear here.")));
    QString group;
    QWidget* cards = nullptr;
    for (const Sample& sample : samples) {
        if (sample.group != group) {
            auto* heading = new QLabel(group = sample.group);
            heading->setObjectName("heading");
            gallery_->addSpacing(10);
            gallery_->addWidget(heading);
            cards = nullptr;
        }
        if (!cards && !shippedThumbnail(sample.name).isEmpty()) {
            cards = new QWidget;
            (new FlowLayout(cards, 2, kCardGap, kCardGap))->setEven(true);
            gallery_->addWidget(cards);
        }
        addSample(sample, cards, &sample == &samples.front());
    }
    if (samples.isEmpty())
        gallery_->addWidget(note(tr("No samples are beside this program. They come with an "
                                    "installation, and with the sources.")));
    orderTabs();
}

/// Tab follows what is seen, column after column; Qt keeps the order that widgets were made in.
void StartPage::orderTabs() {
    QWidget* last = nullptr;
    for (QLayout* list : {static_cast<QLayout*>(gallery_), static_cast<QLayout*>(recent_),
                          static_cast<QLayout*>(tours_)})
        for (auto* button : list->parentWidget()->findChildren<QAbstractButton*>()) {
            if (last)
                setTabOrder(last, button);
            else
                setFocusProxy(button);
            last = button;
        }
}

/// A card where there is a picture of it, else a line.
void StartPage::addSample(const Sample& sample, QWidget* cards, bool first) {
    QAbstractButton* button = nullptr;
    if (const Thumbnail& thumbnail = shippedThumbnail(sample.name); thumbnail.isEmpty()) {
        button = link(sample.title, format::shortPath(sample.path));
        gallery_->addWidget(button);
        if (!sample.teaches.isEmpty()) gallery_->addWidget(note(sample.teaches));
    } else {
        auto* card = new SampleCard(thumbnail, sample.title, sample.teaches,
                                    first ? tr("Start here") : QString());
        card->setTheme(theme_);
        card->setToolTip(sample.teaches + "\n" + format::shortPath(sample.path));
        cards->layout()->addWidget(card);
        button = card;
    }
    connect(button, &QAbstractButton::clicked, this,
            [this, path = sample.path] { emit fileChosen(path); });
}

void StartPage::setTheme(const Theme& theme) {
    theme_ = theme;
    for (auto* card : findChildren<SampleCard*>())
        card->setTheme(theme);
}

/// Return opens what the keyboard is at, as it does a link.
void StartPage::keyPressEvent(QKeyEvent* event) {
    auto* button = qobject_cast<QAbstractButton*>(focusWidget());
    if (button && (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter))
        return button->click();
    QWidget::keyPressEvent(event);
}

void StartPage::fillTours() {
    const std::vector<Tour> all = shippedTours();
    for (size_t i = 0; i < all.size(); ++i) {
        auto* button = link<WrappedButton>(all[i].title, all[i].about);
        connect(button, &QPushButton::clicked, this,
                [this, i] { emit tourChosen(static_cast<int>(i)); });
        tours_->addWidget(button);
        if (i == 0) tours_->addWidget(note(all[i].about));
    }
}

} // namespace cutaway::views
