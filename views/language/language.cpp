// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/language/language.h"

#include <QCoreApplication>
#include <QLibraryInfo>
#include <QLocale>
#include <QPointer>
#include <QTranslator>
#include <vector>

namespace cutaway::views {

namespace {

struct Language {
    const char* id;
    const char* name;
    QLocale locale;
};

const std::vector<Language>& rows() {
    static const std::vector<Language> all = {
        {"en", "English", QLocale(QLocale::English, QLocale::UnitedStates)},
        {"zh", "中文", QLocale(QLocale::Chinese, QLocale::China)}};
    return all;
}

/// What is in use; translators go with their application.
struct InUse {
    QPointer<QTranslator> own, qt;
    QString id;
};
InUse inUse;

void install(const Language& language) {
    delete inUse.own;
    delete inUse.qt;
    inUse = {new QTranslator(qApp), new QTranslator(qApp), language.id};
    const QString qts = QLibraryInfo::path(QLibraryInfo::TranslationsPath);
    if (inUse.qt->load(language.locale, "qtbase", "_", qts))
        QCoreApplication::installTranslator(inUse.qt);
    if (inUse.own->load(QString(":/translations/cutaway_%1.qm").arg(language.id)))
        QCoreApplication::installTranslator(inUse.own);
}

} // namespace

QStringList languages() {
    QStringList ids;
    for (const Language& row : rows())
        ids << row.id;
    return ids;
}

QString languageName(const QString& id) {
    for (const Language& row : rows())
        if (id == QLatin1String(row.id)) return QString::fromUtf8(row.name);
    return {};
}

QString languageInEnglish(const QString& id) {
    for (const Language& row : rows())
        if (id == QLatin1String(row.id)) return QLocale::languageToString(row.locale.language());
    return {};
}

QString spokenFor(const QString& choice) {
    if (languages().contains(choice)) return choice;
    for (const QString& wanted : QLocale::system().uiLanguages())
        if (const QString id = wanted.section('-', 0, 0); languages().contains(id)) return id;
    return "en";
}

QString spoken() {
    return inUse.id;
}

void speak(const QString& choice) {
    const QString id = spokenFor(choice);
    for (const Language& row : rows())
        if (id == QLatin1String(row.id)) {
            // Whoever has the system's language has its dates, too.
            QLocale::setDefault(id == choice ? row.locale : QLocale::system());
            install(row);
        }
}

} // namespace cutaway::views

/// The order of dates stays the system's until somebody chooses a language.
static void startInEnglish() {
    cutaway::views::install(cutaway::views::rows().front());
}
Q_COREAPP_STARTUP_FUNCTION(startInEnglish)
