// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panes/code/code_pane.h"

#include "core/record/columns.h"
#include "views/models/assembly.h"
#include "views/widgets/choice_box.h"
#include "views/widgets/code_view.h"
#include "views/widgets/find_bar.h"
#include "views/widgets/pane_bar.h"

#include <QComboBox>
#include <QLabel>
#include <QPointer>
#include <QScrollBar>
#include <QTabBar>
#include <QToolButton>
#include <QVBoxLayout>

namespace cutaway::views {

namespace {

struct Language {
    const char *id, *title, *tip;
};
constexpr Language kLanguages[] = {
    {"cpp", QT_TRANSLATE_NOOP("cutaway::views::CodePane", "C++"),
     QT_TRANSLATE_NOOP("cutaway::views::CodePane", "the text that is compiled for the CPU")},
    {"llvm", QT_TRANSLATE_NOOP("cutaway::views::CodePane", "LLVM IR"),
     QT_TRANSLATE_NOOP("cutaway::views::CodePane", "after optimisation")},
    {"asm", QT_TRANSLATE_NOOP("cutaway::views::CodePane", "Assembly"),
     QT_TRANSLATE_NOOP("cutaway::views::CodePane", "the machine code, disassembled")},
    {"cuda", QT_TRANSLATE_NOOP("cutaway::views::CodePane", "CUDA"),
     QT_TRANSLATE_NOOP("cutaway::views::CodePane", "the text that is compiled for the GPU")},
    {"ptx", QT_TRANSLATE_NOOP("cutaway::views::CodePane", "PTX"),
     QT_TRANSLATE_NOOP("cutaway::views::CodePane", "the GPU's intermediate code")},
    {"sass", QT_TRANSLATE_NOOP("cutaway::views::CodePane", "SASS"),
     QT_TRANSLATE_NOOP("cutaway::views::CodePane",
                       "the GPU's machine code, by the toolkit's disassembler")}};

QString joined(const record::Code& code) {
    QString text;
    for (const record::CodeLine& line : code.lines)
        text += QString::fromStdString(line.text) + '\n';
    if (!text.isEmpty()) text.chop(1);
    return text;
}

/// Whether there is a text at all: library calls have none.
bool isGenerated(const record::KernelInfo& kernel) {
    return std::any_of(kernel.codes.begin(), kernel.codes.end(), [](const record::Code& code) {
        return code.language == "cpp" || code.language == "cuda";
    });
}

} // namespace

CodePane::CodePane(PaneContext context, QWidget* parent)
    : Pane(context, parent), kernels_(new ChoiceBox), languages_(new QTabBar), notice_(new QLabel),
      foot_(new QLabel), view_(new CodeView), find_(new FindBar(view_)) {
    makeBar();
    notice_->setObjectName("notice");
    notice_->setWordWrap(true);
    notice_->setAlignment(Qt::AlignCenter);
    notice_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    notice_->setMargin(16);
    body()->addWidget(notice_, 1);
    body()->addWidget(view_, 1);
    body()->addWidget(find_);
    foot_->setObjectName("muted");
    foot_->setWordWrap(true);
    foot_->setMargin(6);
    foot_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    foot_->hide();
    body()->addWidget(foot_);
    setFocusProxy(view_);
    view_->setReadOnly(true);
    view_->setObjectName("codeView");
    view_->setAccessibleName(tr("Generated code"));
    view_->setLanguage("cpp");
    connect(view_, &CodeView::lineHovered, this, [this](int line) {
        const auto at = static_cast<size_t>(line);
        selection().hover(at < code_.lines.size() ? code_.lines[at].item : kNoItem);
    });
    connect(&this->session(), &Session::textReplaced, this, [this](bool other) {
        if (!other) return;
        kept_ = {};
        view_->cancelFind();
        find_->forget();
    });
    connect(&this->session(), &Session::runsChanged, this, &CodePane::showShares);
    view_->setTooltip([this](int line) { return lineTip(line); });
    connect(view_, &CodeView::lineActivated, this, [this](int line) {
        if (static_cast<size_t>(line) >= code_.lines.size()) return;
        ItemId item = code_.lines[static_cast<size_t>(line)].item;
        if (item != kNoItem) selection().select({item}, this);
    });
}

QString CodePane::lineTip(int line) const {
    if (static_cast<size_t>(line) >= code_.lines.size()) return {};
    const record::CodeLine& at = code_.lines[static_cast<size_t>(line)];
    const QString help = code_.language == "asm"
                             ? instructionHelp(QString::fromStdString(at.text)).toHtmlEscaped()
                             : QString();
    QString of = at.item == kNoItem ? QString() : itemTip(at.item);
    if (const auto share = shares_.constFind(line); share != shares_.cend())
        of += "<p>" +
              tr("%1 % of the samples of a call, over all threads")
                  .arg(QString::number(100 * *share, 'f', 1)) +
              "</p>";
    return help.isEmpty() || of.isEmpty() ? help + of : "<p>" + help + "</p>" + of;
}

void CodePane::makeBar() {
    auto* bar = new PaneBar;
    kernels_->setAccessibleName(tr("Kernel"));
    kernels_->setToolTip(tr("Kernel whose text is shown"));
    kernels_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    kernels_->setMinimumContentsLength(12);
    bar->addWidget(kernels_, 1);
    remarksButton_ = bar->addButton("remarks", tr("Show the compiler's remarks in the text"), this,
                                    [this] { showRemarks(); });
    remarksButton_->setCheckable(true);
    remarksButton_->setObjectName("remarks");
    connect(&this->session(), &Session::remarksCame, this, [this] {
        if (view_->isVisibleTo(this)) showRemarks();
    });
    whole_ = new QToolButton;
    whole_->setObjectName("wholeAssembly");
    whole_->setText(tr("All"));
    whole_->setCheckable(true);
    whole_->setToolTip(tr("With constants, directives and names as the assembler reads them"));
    bar->addWidget(whole_);
    connect(whole_, &QToolButton::toggled, this, [this] { showText(given_); });
    prelude_ = bar->addButton("prelude", tr("Show the prelude that the text starts with"), this,
                              [this] { showPrelude(true); });
    prelude_->setCheckable(true);
    body()->addWidget(bar);
    languages_->setDocumentMode(true);
    languages_->setDrawBase(false);
    languages_->setExpanding(false);
    languages_->setUsesScrollButtons(true);
    languages_->setAccessibleName(tr("Language"));
    for (const Language& language : kLanguages) {
        int index = languages_->addTab(tr(language.title));
        languages_->setTabData(index, QString::fromLatin1(language.id));
        languages_->setTabToolTip(index, tr(language.tip));
    }
    body()->addWidget(languages_);
    connect(languages_, &QTabBar::currentChanged, this, [this] { showCode(); });
    connect(kernels_, &QComboBox::activated, this, [this](int index) {
        ItemId item = kernels_->itemData(index).toUInt();
        if (selection().items() == std::vector<ItemId>{item} || !record().kernel(item)) return;
        kernel_ = item;
        showCode();
        selection().select({item}, this);
    });
}

void CodePane::setLanguage(const QString& language) {
    for (int i = 0; i < languages_->count(); ++i)
        if (languages_->tabData(i).toString() == language) languages_->setCurrentIndex(i);
}

bool CodePane::showStage(const QString& stage) {
    for (int i = 0; i < languages_->count(); ++i)
        if (languages_->tabData(i).toString() == stage) {
            languages_->setCurrentIndex(i);
            return true;
        }
    return false;
}

QString CodePane::currentKernelName() const {
    const record::KernelInfo* kernel = record().kernel(kernel_);
    return kernel ? QString::fromStdString(kernel->name) : QString();
}

void CodePane::fillKernels() {
    kernels_->clear();
    if (!entry()) return;
    for (const record::LoweredGraph& graph : entry()->lowered)
        for (const record::KernelInfo& kernel : graph.kernels)
            kernels_->addItem(QString::fromStdString(graph.graph + " · " + kernel.name),
                              kernel.item);
}

ItemId CodePane::bestKernel() const {
    for (ItemId item : selection().items())
        if (ItemId owner = record().kernelOf(item); owner != kNoItem) return owner;
    ItemId best = kNoItem, first = kNoItem;
    Highlight strongest = Highlight::None;
    bool currentExists = false, firstHasText = false;
    for (const record::LoweredGraph& graph : entry()->lowered)
        for (const record::KernelInfo& kernel : graph.kernels) {
            // Without a selection: the first with a text.
            if (first == kNoItem || (!firstHasText && isGenerated(kernel))) first = kernel.item;
            firstHasText = firstHasText || isGenerated(kernel);
            currentExists = currentExists || kernel.item == kernel_;
            if (selection().level(kernel.item) <= strongest) continue;
            strongest = selection().level(kernel.item);
            best = kernel.item;
        }
    // A kernel that is lit as much as the best stays: texts should not jump without need.
    if (currentExists && selection().level(kernel_) >= strongest) return kernel_;
    if (best == kNoItem && session().isPartial() && !kept_.isEmpty()) return kNoItem; // it comes
    return best != kNoItem ? best : first;
}

void CodePane::showRecord() {
    fillKernels();
    kernel_ = record().find(kept_);
    if (entry()) kernel_ = bestKernel();
    showCode();
}

void CodePane::showCode() {
    ++ticket_;
    waiting_ = false;
    code_ = {};
    const record::KernelInfo* kernel = record().kernel(kernel_);
    if (kernel) kept_ = record().nameOf(kernel_);
    kernels_->setCurrentIndex(kernel ? kernels_->findData(kernel_) : -1);
    if (!kernel) return showNotice(emptyAdvice(tr("This graph has no kernel.")), true);
    QString language = languages_->tabData(languages_->currentIndex()).toString();
    for (const record::Code& code : kernel->codes)
        if (code.language == language.toStdString() && (!code.lines.empty() || !code.note.empty()))
            return record::lacksTexts(code) ? askEngine(*kernel, language) : showText(code);
    bool generated =
        std::any_of(kernel->codes.begin(), kernel->codes.end(), [](const record::Code& code) {
            return code.language == "cpp" || code.language == "cuda";
        });
    if (!generated && session().isPartial()) return showNotice(emptyAdvice({}), true);
    if (!generated) return showCall(*kernel);
    if (language == "cpp" || language == "cuda")
        return showNotice(tr("This kernel was generated for %1 only.")
                              .arg(QString::fromStdString(kernel->device)));
    askEngine(*kernel, language);
}

/// What a library computes, as the compiler tells it: there is no text of its own.
void CodePane::showCall(const record::KernelInfo& kernel) {
    const QString why =
        tr("%1 is done by a library (%2), so there is no generated text. The "
           "Kernels pane tells what it reads and writes.")
            .arg(QString::fromStdString(kernel.name), QString::fromStdString(kernel.kind));
    for (const record::Code& code : kernel.codes)
        if (code.language == "loops" && !code.lines.empty() && !record::lacksTexts(code)) {
            record::Code shown = code;
            shown.note = why.toStdString();
            return showText(shown);
        }
    showNotice(why);
}

void CodePane::askEngine(const record::KernelInfo& kernel, const QString& language) {
    if (session().isPartial()) return showNotice(emptyAdvice({}), true); // it is still at work
    if (session().isReadOnly() || !session().engine()->isUsable())
        return showNotice(session().isReadOnly()
                              ? tr("The saved record does not hold this text.")
                              : tr("The engine is not running, so this text cannot be made."),
                          true);
    const Place& at = record().place(kernel_);
    ListingKey key{at.function, at.entry,
                   QString::fromStdString(entry()->lowered[at.lowered].graph),
                   QString::fromStdString(kernel.name), language};
    waiting_ = true;
    showNotice(tr("Asking the engine…"));
    QPointer<CodePane> self(this);
    session().listing(key, [self, ticket = ticket_](const Listing& listing) {
        if (!self || ticket != self->ticket_) return;
        self->waiting_ = false;
        if (!listing.problem.isEmpty()) return self->showNotice(listing.problem);
        self->showText(listing.code);
    });
}

void CodePane::showText(const record::Code& code) {
    const bool assembly = code.language == "asm" && !code.lines.empty();
    given_ = code;
    code_ = assembly && !whole_->isChecked() ? readableAssembly(code) : code;
    whole_->setVisible(assembly);
    if (code.lines.empty())
        return showNotice(code.note.empty() ? tr("There is no such text for this kernel.")
                                            : QString::fromStdString(code.note));
    noticeOfStatus_ = false;
    notice_->hide();
    view_->show();
    foot_->setText(QString::fromStdString(code.note));
    foot_->setVisible(!code.note.empty());
    QString language = languages_->tabData(languages_->currentIndex()).toString();
    QString name = session().path() + '\n' + record().key(kernel_) + '\n' + language;
    bool renewed = name == shown_;
    if (!renewed) places_[shown_] = view_->verticalScrollBar()->value();
    shown_ = name;
    layout()->activate(); // what is in sight depends on the size that the view gets
    view_->setLanguage(language);
    prelude_->setVisible(code_.hiddenPrefix > 0);
    remarksButton_->setVisible(code_.language == "cpp" && !session().isReadOnly());
    showPrelude(renewed);
    if (!renewed) view_->verticalScrollBar()->setValue(places_.value(name));
    // Only the very text that was clicked must not move.
    if (!renewed || selection().origin() != this) view_->revealHighlight();
}

void CodePane::showPrelude(bool keepPlace) {
    bool folded = code_.hiddenPrefix > 1 && !prelude_->isChecked() &&
                  static_cast<size_t>(code_.hiddenPrefix) < code_.lines.size();
    record::Code shown = code_;
    if (folded)
        shown.lines[0].text =
            tr("// prelude, %n line(s): the button { } shows it", nullptr, code_.hiddenPrefix)
                .toStdString();
    view_->setCode(joined(shown), keepPlace);
    view_->setHiddenPrefix(folded ? code_.hiddenPrefix : 0);
    showRemarks();
    showShares();
    showLights(false);
}

/// What was sampled of the text that is shown.
void CodePane::showShares() {
    const Sampled* sampled = code_.language == "cpp" ? session().sampledOfShown() : nullptr;
    const record::KernelInfo* kernel = record().kernel(kernel_);
    shares_.clear();
    if (sampled && kernel && entry())
        shares_ = sampled->shares(
            QString::fromStdString(
                entry()->lowered[static_cast<size_t>(record().place(kernel_).lowered)].graph),
            QString::fromStdString(kernel->name));
    view_->setShares(shares_);
}

void CodePane::showNotice(const QString& text, bool ofStatus) {
    noticeOfStatus_ = ofStatus;
    view_->hide();
    foot_->hide();
    whole_->hide();
    prelude_->hide();
    remarksButton_->hide();
    notice_->setText(text);
    notice_->show();
}

/// Of the C++ text, as its compiler says them; asked for when they are wanted.
void CodePane::showRemarks() {
    view_->clearErrors();
    if (!remarksButton_->isChecked() || code_.language != "cpp") return;
    const TextRemarks* known = session().remarks(kernel_);
    if (!known) return session().askRemarks(kernel_);
    if (!known->problem.isEmpty() || known->all.empty()) {
        foot_->setText(known->problem.isEmpty() ? tr("The compiler has no remarks on this text.")
                                                : known->problem);
        foot_->show();
    }
    for (const PlacedRemark& remark : known->all)
        view_->addNote(remark.line - 1, remark.text, remark.missed ? Tone::Warning : Tone::Good);
}

void CodePane::showLights(bool reveal) {
    view_->setHighlights([this](int line) {
        if (static_cast<size_t>(line) >= code_.lines.size()) return Highlight::None;
        const record::CodeLine& at = code_.lines[static_cast<size_t>(line)];
        return at.item == kNoItem ? Highlight::None : selection().level(at.item);
    });
    if (reveal) view_->revealHighlight();
}

void CodePane::showSelection(bool reveal) {
    if (!entry()) return;
    ItemId best = bestKernel();
    if (best != kernel_) {
        kernel_ = best;
        showCode();
    }
    showLights(reveal);
}

void CodePane::showTheme() {
    view_->setTheme(theme());
}

void CodePane::showStatus() {
    if (!entry()) return showNotice(emptyAdvice(tr("This graph has no kernel.")), true);
    if (noticeOfStatus_) showCode();
}

} // namespace cutaway::views
