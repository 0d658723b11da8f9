// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Parts of a pane, below each other where there is room for all of them, else as tabs.
#pragma once

#include <QString>
#include <QWidget>
#include <vector>

class QSplitter;
class QTabWidget;
class QVBoxLayout;

namespace cutaway::views {

class PartTabs : public QWidget {
    Q_OBJECT
public:
    /// \param lowLines of text: of fewer there is no room for all
    explicit PartTabs(int lowLines, QWidget* parent = nullptr);
    /// Shares the room with the other parts, with handles between them.
    void addPart(QWidget* part, const QString& title);
    /// Stands above them, as high as it needs; the last of the tabs.
    void addHead(QWidget* head, const QString& title);
    /// Turns to it where there are tabs.
    void showPart(QWidget* part);
    QWidget* shownPart() const;
    /// A part that has nothing to show gives its room to the others; its tab stays.
    void setPartVisible(QWidget* part, bool visible);
    QSplitter* splitter() const { return splitter_; }
    QTabWidget* tabs() const { return tabs_; }

signals:
    void lowChanged();

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    struct Part {
        QWidget* widget;
        QString title;
        bool head, visible;
    };
    void arrange();

    int lowLines_;
    bool low_ = false;
    QVBoxLayout* column_;
    QTabWidget* tabs_; ///< made first: Tab comes to its bar before it comes to the parts
    QSplitter* splitter_;
    std::vector<Part> parts_; ///< heads last
};

} // namespace cutaway::views
