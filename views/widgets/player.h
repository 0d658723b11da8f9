// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Plays moments one after the other: play and pause, single steps, speed, a line to drag along.
/// Keys: space, left and right, home and end. Where less motion is wanted, nothing moves by itself.
#pragma once

#include <QTimer>
#include <QWidget>

class QComboBox;
class QLabel;
class QSlider;
class QToolButton;

namespace cutaway::views {

struct Theme;

class Player : public QWidget {
    Q_OBJECT
public:
    explicit Player(QWidget* parent = nullptr);
    /// Another story, at its first moment. \param moments 0: there is none
    void setLength(int moments);
    int length() const { return length_; }
    int moment() const;
    void setMoment(int moment);
    void step(int by) { setMoment(moment() + by); }
    /// From the start when it stands at the end.
    void play();
    void pause();
    bool isPlaying() const { return timer_.isActive(); }
    void setLessMotion(bool less);
    void setTheme(const Theme& theme);

signals:
    void momentChanged(int moment);

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    void showState();
    int length_ = 0;
    bool lessMotion_ = false;
    QTimer timer_;
    QToolButton *play_, *back_, *forward_;
    QSlider* line_;
    QComboBox* speed_;
    QLabel* where_;
    QIcon playIcon_, pauseIcon_;
};

} // namespace cutaway::views
