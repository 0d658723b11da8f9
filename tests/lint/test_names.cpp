// SPDX-License-Identifier: Apache-2.0
// What is said of an operation stands in its record (core/ops/op_def.h): elsewhere no list holds names
// of operations, and nothing is compared with one, but at the places named here.
#include <QDirIterator>
#include <QRegularExpression>
#include <QSet>
#include <QtTest>

class TestNames : public QObject {
    Q_OBJECT

    struct Place {
        QString where; ///< a file of core, or a folder
        QStringList names;
        QString why;
    };
    const QList<Place> places{
        {"ops/", {}, "records, and rules of one record"},
        {"passes/", {}, "a pass names the operations that it looks for"},
        {"kernel/", {}, "words of the loop language"},
        {"codegen/", {}, "functions of C++"},
        {"ir/graph.cpp",
         {"abs", "all", "any", "max", "min", "pow", "round", "sum"},
         "words of Python"},
        {"autodiff/joint_graph.cpp", {"detach"}, "one operation becomes another"},
        {"backend/complex_boundary.cpp",
         {"add.Tensor", "alias", "clone", "detach", "view_as_complex", "view_as_real"},
         "takes these two apart and makes them"},
        {"backend/eager_backend.cpp", {"prims.custom_function"}, "a call of the script's own rule"},
        {"backend/eager_calls.cpp",
         {"as_strided", "as_strided_scatter"},
         "counts from the storage's beginning"},
        {"backend/host_tensors.cpp", {"prims.device_put"}, "takes copies between devices out"},
        {"lower/asks.cpp", {"check_index"}, "asks in another operation's name"},
        {"capture/autocast.cpp", {"einsum"}, "its equation says whether it multiplies matrices"},
        {"capture/attributes.cpp", {"real"}, "of Python's numbers"},
        {"capture/builtin_methods.cpp", {"index", "real"}, "of Python's numbers and lists"},
        {"capture/builtins.cpp", {"any", "max", "min"}, "Python's functions"},
        {"capture/modules.cpp", {}, "Python's math"},
        {"capture/transformed_code.cpp", {"max", "min"}, "names of the text that it writes"},
        {"capture/tensor_attributes.cpp", {"real"}, "an attribute"},
        {"capture/random_functions.cpp",
         {"mean", "rand", "rand_like", "randint", "randn", "randn_like", "std"},
         "torch's functions and their parameters"},
        {"capture/capturing_world.cpp",
         {"as_strided", "as_strided_copy", "as_strided_scatter"},
         "counts from the storage's beginning"},
        {"capture/complex_tensors.cpp",
         {"detach", "view_as_real"},
         "what the complex formulas are made of"},
        {"capture/graph_numbers.cpp",
         {"eq", "full", "ge", "gt", "le", "leaky_relu", "lt", "ne", "scalar_tensor", "where"},
         "operators of Python; a number as a choice of where() has a dtype of its own, full() of "
         "one "
         "is it, expanded, and with a number of the graph these two are others"},
        {"capture/torch_calls.cpp", {"eq", "le", "lt", "ne"}, "operators of Python"},
        {"capture/tensor_ops.cpp",
         {"fill", "index_fill", "index_put", "masked_fill", "tril", "triu", "upsample_", "where"},
         "how Python's calls of these differ"},
        {"driver/inputs.cpp", {"ones", "zeros"}, "words of the command line"},
    };

    static QString text(const QString& path) {
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
    }
    static QMap<QString, QString> sources(const QString& folder) {
        QMap<QString, QString> texts;
        const QString root = QString(CUTAWAY_SOURCE_DIR) + "/core/";
        QDirIterator all(root + folder, {"*.h", "*.cpp"}, QDir::Files,
                         QDirIterator::Subdirectories);
        while (all.hasNext()) {
            const QString path = all.next();
            texts[path.mid(root.size())] = text(path);
        }
        return texts;
    }
    /// Names of operations, with overloads and without.
    static QSet<QString> operations() {
        static const QRegularExpression schema(
            "\"([\\w.]+)\\((?:Tensor|SymInt|int|Scalar|str|\\*|\\) ->)");
        QSet<QString> names;
        for (const QString& file : sources("ops"))
            for (auto matches = schema.globalMatch(file); matches.hasNext();) {
                const QString name = matches.next().captured(1);
                names << name;
                if (!name.startsWith("prims.")) names << name.section('.', 0, 0);
            }
        return names;
    }

    /// What \p source compares with names of operations, and holds lists of.
    static QStringList found(const QString& source, const QSet<QString>& names) {
        static const QRegularExpression compared("[=!]=\\s*\"([\\w.]+)\""),
            listed("\\{\\s*(\"[\\w.]*\"(?:\\s*,\\s*\"[\\w.]*\")+)\\s*,?\\s*\\}"),
            starts("(?:\\bop|base|\\.name\\(\\))\\.(starts|ends)_with\\(\"([a-z_]+)\"\\)"),
            word("\"([\\w.]*)\"");
        QStringList result;
        for (auto matches = compared.globalMatch(source); matches.hasNext();)
            if (const QString name = matches.next().captured(1); names.contains(name))
                result << name;
        for (auto matches = starts.globalMatch(source); matches.hasNext();) {
            const auto match = matches.next();
            const QString part = match.captured(2);
            const auto has = [&](const QString& name) {
                return match.captured(1) == "starts" ? name.startsWith(part) : name.endsWith(part);
            };
            if (std::any_of(names.begin(), names.end(), has)) result << part;
        }
        for (auto lists = listed.globalMatch(source); lists.hasNext();) {
            QStringList known;
            for (auto words = word.globalMatch(lists.next().captured(1)); words.hasNext();)
                if (const QString name = words.next().captured(1); names.contains(name))
                    known << name;
            if (known.size() > 1) result << known;
        }
        result.removeDuplicates();
        return result;
    }

private Q_SLOTS:
    void what_is_said_of_operations_stands_in_records() {
        const QSet<QString> names = operations();
        QVERIFY(names.size() > 500);
        QMap<QString, QStringList> unused;
        for (const Place& place : places)
            unused[place.where] = place.names;
        const QMap<QString, QString> all = sources("");
        QVERIFY(all.size() > 300);
        for (auto file = all.begin(); file != all.end(); ++file) {
            QStringList left = found(file.value(), names);
            for (const Place& place : places) {
                if (!file.key().startsWith(place.where)) continue;
                if (place.names.isEmpty()) left.clear();
                for (const QString& name : place.names)
                    if (left.removeAll(name)) unused[place.where].removeAll(name);
            }
            QVERIFY2(left.isEmpty(), qPrintable(file.key() + ": " + left.join(", ") +
                                                ": say it in the record (core/ops/op_traits.h)"));
        }
        for (auto place = unused.begin(); place != unused.end(); ++place)
            QVERIFY2(place.value().isEmpty(),
                     qPrintable(place.key() + " has none of " + place.value().join(", ")));
    }

    void the_lint_sees_what_it_forbids() {
        const QSet<QString> names{"add", "sub", "abs", "ones_like"};
        for (const char* line :
             {"if (base == \"add\") return;", "kNames[] = {\"add\",\n    \"sub\"};",
              "isOneOf(name, {\"abs\", \"x\", \"add\"})", "base.ends_with(\"_like\")",
              "{{\"subtract\", \"s\"}, {\"add\", \"sub\"}}"})
            QVERIFY2(!found(line, names).isEmpty(), line);
        for (const char* line :
             {"operation(\"add\", {x, y});", "if (word == \"rows\") return;",
              "text.starts_with(\"add\")", "base.starts_with(\"self\")", "{\"add\", 1}"})
            QVERIFY2(found(line, names).isEmpty(), line);
    }
};

QTEST_APPLESS_MAIN(TestNames)
#include "test_names.moc"
