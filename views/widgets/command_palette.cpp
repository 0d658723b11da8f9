// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/widgets/command_palette.h"

#include <QFrame>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPainter>
#include <QStyledItemDelegate>
#include <QTimer>
#include <QVBoxLayout>
#include <algorithm>
#include <numeric>
#include <utility>

namespace cutaway::views {

namespace {

constexpr int kShown = 200;

/// The detail on the right of the entry.
class EntryDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override {
        QStyledItemDelegate::paint(painter, option, index);
        QColor color =
            option.palette.color(option.state & QStyle::State_Selected ? QPalette::HighlightedText
                                                                       : QPalette::PlaceholderText);
        painter->setPen(color);
        painter->drawText(option.rect.adjusted(8, 0, -kRim, 0), Qt::AlignRight | Qt::AlignVCenter,
                          detail(index));
    }

protected:
    /// The entry is cut where the detail begins.
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override {
        QStyledItemDelegate::initStyleOption(option, index);
        const QFontMetrics& metrics = option->fontMetrics;
        const int room = option->rect.width() - metrics.horizontalAdvance(detail(index)) - 3 * kRim;
        if (option->rect.width() > 0)
            option->text = metrics.elidedText(option->text, Qt::ElideRight, std::max(0, room));
    }

private:
    static QString detail(const QModelIndex& index) {
        return index.data(Qt::UserRole + 1).toString();
    }
    static constexpr int kRim = 12;
};

/// How far in front the words stand in \p text; -1: one of them is not in it.
int scoreOfWords(const QString& text, const QStringList& words) {
    int total = 0;
    for (const QString& word : words) {
        const qsizetype at = text.indexOf(word, 0, Qt::CaseInsensitive);
        if (at < 0) return -1;
        const bool wordStart = at == 0 || !text[at - 1].isLetterOrNumber();
        total += static_cast<int>(at) + (wordStart ? 0 : 50);
    }
    return total;
}

/// How close together the letters stand; -1: they are not in \p text in their order.
int scoreOfLetters(const QString& text, const QString& typed) {
    qsizetype at = 0, first = -1;
    for (QChar c : typed) {
        if (c.isSpace()) continue;
        at = text.indexOf(c, at, Qt::CaseInsensitive);
        if (at < 0) return -1;
        if (first < 0) first = at;
        ++at;
    }
    return static_cast<int>(at - first);
}

/// Smaller is better; -1: does not fit. Words that are told of an entry mean more than letters that
/// are scattered over its name.
int score(const PaletteEntry& entry, const QString& typed) {
    const QStringList words = typed.split(' ', Qt::SkipEmptyParts);
    if (const int value = scoreOfWords(entry.text, words); value >= 0) return value;
    if (const int value = scoreOfWords(entry.text + " " + entry.about, words); value >= 0)
        return 1000 + value;
    const int value = scoreOfLetters(entry.text, typed);
    return value < 0 ? -1 : 3000 + value;
}

} // namespace

std::vector<int> CommandPalette::matching(const std::vector<PaletteEntry>& entries,
                                          const QString& typed, int most) {
    std::vector<std::pair<int, int>> scored;
    for (size_t i = 0; i < entries.size(); ++i)
        if (int value = score(entries[i], typed); value >= 0)
            scored.emplace_back(typed.isEmpty() ? 0 : value, static_cast<int>(i));
    std::stable_sort(scored.begin(), scored.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<int> result;
    for (size_t i = 0; i < scored.size() && static_cast<int>(i) < most; ++i)
        result.push_back(scored[i].second);
    return result;
}

CommandPalette::CommandPalette(const QString& prompt, std::vector<PaletteEntry> entries,
                               QWidget* parent)
    : QDialog(parent, Qt::Popup | Qt::FramelessWindowHint), entries_(std::move(entries)),
      input_(new QLineEdit), list_(new QListWidget) {
    make(prompt);
}

CommandPalette::CommandPalette(const QString& prompt, const QString& help, Find find,
                               QWidget* parent)
    : QDialog(parent, Qt::Popup | Qt::FramelessWindowHint), input_(new QLineEdit),
      list_(new QListWidget), find_(std::move(find)) {
    make(prompt);
    input_->setToolTip(help);
}

void CommandPalette::make(const QString& prompt) {
    setAttribute(Qt::WA_DeleteOnClose);
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    auto* frame = new QFrame;
    frame->setObjectName("paletteFrame");
    outer->addWidget(frame);
    auto* column = new QVBoxLayout(frame);
    column->setContentsMargins(1, 1, 1, 1);
    column->setSpacing(0);
    input_->setObjectName("paletteInput");
    input_->setPlaceholderText(prompt);
    input_->setAccessibleName(prompt);
    list_->setObjectName("paletteList");
    list_->setItemDelegate(new EntryDelegate(list_));
    list_->setUniformItemSizes(true);
    list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    list_->setFocusPolicy(Qt::NoFocus);
    column->addWidget(input_);
    column->addWidget(list_);
    input_->installEventFilter(this);
    connect(input_, &QLineEdit::textChanged, this, &CommandPalette::fill);
    connect(list_, &QListWidget::itemClicked, this, [this] { take(); });
    QWidget* window = parentWidget()->window();
    resize(std::min(620, window->width() - 80), 380);
    move(window->mapToGlobal(QPoint((window->width() - width()) / 2, 70)));
    fill({});
    input_->setFocus();
}

void CommandPalette::begin(const QString& typed) {
    input_->setText(typed);
    input_->selectAll();
}

void CommandPalette::findAgain() {
    fill(input_->text());
}

void CommandPalette::fill(const QString& typed) {
    if (!find_) return list(matching(entries_, typed.trimmed(), kShown));
    finder_.start([this, find = find_, typed = typed.trimmed()]() -> LatestWork::Finish {
        return [this, found = find(typed)] {
            entries_ = found;
            std::vector<int> all(entries_.size());
            std::iota(all.begin(), all.end(), 0);
            list(all);
            if (std::exchange(takes_, false)) take();
        };
    });
}

void CommandPalette::list(const std::vector<int>& shown) {
    list_->clear();
    if (shown.empty()) (new QListWidgetItem(tr("Nothing found"), list_))->setFlags(Qt::NoItemFlags);
    for (int index : shown) {
        const PaletteEntry& entry = entries_[static_cast<size_t>(index)];
        auto* item = new QListWidgetItem(entry.text, list_);
        item->setData(Qt::UserRole, index);
        item->setData(Qt::UserRole + 1, entry.detail);
        item->setToolTip(entry.text); // where it is cut
        if (!entry.enabled) item->setFlags(Qt::NoItemFlags);
    }
    for (int row = 0; row < list_->count(); ++row)
        if (list_->item(row)->flags() & Qt::ItemIsEnabled) {
            list_->setCurrentRow(row);
            break;
        }
}

void CommandPalette::take() {
    if (finder_.isBusy()) { // the list is still of what was typed before
        takes_ = true;
        return;
    }
    QListWidgetItem* item = list_->currentItem();
    if (!item || !(item->flags() & Qt::ItemIsEnabled)) return;
    auto act = entries_[item->data(Qt::UserRole).toUInt()].act;
    QObject* context = parent(); // the palette is gone before the command runs
    close();
    QTimer::singleShot(0, context, [act] { act(); });
}

bool CommandPalette::eventFilter(QObject* watched, QEvent* event) {
    if (watched == input_ && event->type() == QEvent::KeyPress) {
        auto* key = static_cast<QKeyEvent*>(event);
        switch (key->key()) {
        case Qt::Key_Up:
            list_->setCurrentRow(std::max(0, list_->currentRow() - 1));
            return true;
        case Qt::Key_Down:
            list_->setCurrentRow(std::min(list_->count() - 1, list_->currentRow() + 1));
            return true;
        case Qt::Key_Return:
        case Qt::Key_Enter:
            take();
            return true;
        case Qt::Key_Escape:
            close();
            return true;
        default:
            break;
        }
    }
    return QDialog::eventFilter(watched, event);
}

} // namespace cutaway::views
