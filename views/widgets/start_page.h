// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// What the window shows without a document: open, recent files, drafts, and the gallery of
/// samples.
#pragma once

#include "views/bridge/draft_store.h"
#include "views/widgets/theme.h"

#include <QWidget>

class QVBoxLayout;

namespace cutaway::views {

struct Sample {
    QString path, title, teaches;
    QString group;  ///< heading that it stands below; empty: none
    QString name{}; ///< below the samples: "models/gpt2.py"
};

/// Samples of a folder: scripts, with what its README or they themselves say of them.
QList<Sample> samplesIn(const QString& folder);

class StartPage : public QWidget {
    Q_OBJECT
public:
    explicit StartPage(QWidget* parent = nullptr);
    void fill(const QStringList& recent, const QList<Draft>& drafts, const QList<Sample>& samples);
    void setTheme(const Theme& theme);

signals:
    void openRequested();
    void newRequested();
    void fileChosen(const QString& path);
    void draftChosen(const Draft& draft);
    /// \param number in shippedTours()
    void tourChosen(int number);

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    void fillTours();
    void orderTabs();
    void addSample(const Sample& sample, QWidget* cards, bool first);
    QVBoxLayout *recent_, *gallery_, *tours_;
    Theme theme_;
};

} // namespace cutaway::views
