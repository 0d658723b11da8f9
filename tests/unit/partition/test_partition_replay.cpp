// SPDX-License-Identifier: Apache-2.0
// Joint graphs recorded from PyTorch 2.11 are read back and partitioned: the saved values must be
// those that PyTorch chose, or their bases where it chose views. This tests the partitioner alone,
// on graphs it did not make.
#include "core/ir/graph.h"
#include "core/partition/partition.h"
#include "core/passes/merge_common.h"
#include "core/passes/remove_dead.h"
#include "tests/support/captured_graphs.h"

#include <QDir>
#include <QFile>
#include <QRegularExpression>
#include <QtTest>

#include <map>
#include <set>

using namespace cutaway;
using namespace cutaway::testing;

namespace {

struct Recorded {
    autodiff::JointGraph joint;
    QStringList saved;
};

ir::TensorType typeOf(const QString& text) {
    static const std::map<QString, ir::DType> kNames = {{"f32", ir::DType::Float32},
                                                        {"f64", ir::DType::Float64},
                                                        {"i64", ir::DType::Int64},
                                                        {"b8", ir::DType::Bool}};
    QString dims = text.section('[', 1).chopped(1);
    ir::Shape sizes;
    for (const QString& dim : dims.split(',', Qt::SkipEmptyParts))
        sizes.push_back(ir::Sym(dim.trimmed().toLongLong()));
    return ir::TensorType::contiguous(kNames.at(text.section('[', 0, 0)), sizes);
}

/// Splits at commas outside brackets.
QStringList pieces(const QString& text) {
    QStringList result{QString()};
    int depth = 0;
    for (QChar c : text) {
        if (c == '[' || c == '(') ++depth;
        if (c == ']' || c == ')') --depth;
        if (c == ',' && depth == 0) {
            result << QString();
        } else {
            result.last() += c;
        }
    }
    for (QString& piece : result)
        piece = piece.trimmed();
    result.removeAll(QString());
    return result;
}

class Reader {
public:
    explicit Reader(const QString& text) : text_(text) {}

    Recorded read() {
        readTupleTypes();
        for (const QString& line : text_.section("=== forward", 0, 0).split('\n'))
            readLine(line);
        QString backward = text_.section("=== backward", 1);
        static const QRegularExpression kHeader("def forward\\(self, (.*)\\):");
        static const QRegularExpression kName("(\\w+): \"");
        auto names = kName.globalMatch(kHeader.match(backward).captured(1));
        while (names.hasNext()) {
            QString name = names.next().captured(1);
            if (!name.startsWith("tangents")) recorded_.saved << name;
        }
        return std::move(recorded_);
    }

private:
    /// A tuple is printed without types; its elements are printed with theirs.
    void readTupleTypes() {
        static const QRegularExpression kItem("\\w+: \"(\\w+\\[[^\\]]*\\])\" = (\\w+)\\[(\\d+)\\]");
        auto items = kItem.globalMatch(text_.section("=== forward", 0, 0));
        while (items.hasNext()) {
            auto item = items.next();
            tupleTypes_[item.captured(2)][item.captured(3).toInt()] = typeOf(item.captured(1));
        }
    }
    ir::ArgList args(const QString& text) const {
        ir::ArgList list;
        for (const QString& piece : pieces(text)) {
            if (auto known = ids_.find(piece); known != ids_.end()) {
                list.push_back(Arg(known->second));
            } else if (piece.startsWith('[')) {
                list.push_back(Arg(args(piece.mid(1).chopped(1))));
            } else {
                list.push_back(Arg(piece.toStdString()));
            }
        }
        return list;
    }
    void readLine(const QString& line) {
        static const QRegularExpression kPlaceholder("(\\w+): \"(\\w+\\[[^\\]]*\\])\"; ");
        static const QRegularExpression kCall("^\\s+(\\w+)(?:: \"(\\w+\\[[^\\]]*\\])\")? = "
                                              "torch\\.ops\\.(\\w+)\\.(\\w+)\\.(\\w+)\\((.*?)\\)"
                                              "(?:;.*)?$");
        static const QRegularExpression kItem(
            "^\\s+(\\w+): \"(\\w+\\[[^\\]]*\\])\" = (\\w+)\\[(\\d+)\\]");
        static const QRegularExpression kReturn("tree_unflatten\\(\\[(.*)\\], self");
        auto placeholders = kPlaceholder.globalMatch(line);
        while (placeholders.hasNext()) {
            auto match = placeholders.next();
            QString name = match.captured(1);
            ids_[name] = graph().addPlaceholder(name.toStdString(), typeOf(match.captured(2)));
            if (name.startsWith("tangents")) recorded_.joint.tangentOutputs.push_back(0);
        }
        if (auto match = kCall.match(line); match.hasMatch()) addCall(match);
        if (auto match = kItem.match(line); match.hasMatch()) {
            ir::ArgList list{Arg(ids_.at(match.captured(3))),
                             Arg(ir::Sym(match.captured(4).toLongLong()))};
            QString name = match.captured(1);
            ids_[name] =
                graph().addCall("getitem", list, {typeOf(match.captured(2))}, name.toStdString());
        }
        if (auto match = kReturn.match(line); match.hasMatch()) setOutputs(match.captured(1));
    }
    void addCall(const QRegularExpressionMatch& match) {
        QString name = match.captured(1), op = match.captured(4);
        if (match.captured(3) == "prims") op = "prims." + op;
        if (match.captured(5) != "default") op += "." + match.captured(5);
        std::vector<ir::TensorType> types;
        if (match.captured(2).isEmpty()) {
            for (const auto& [index, type] : tupleTypes_[name])
                types.push_back(type);
        } else {
            types.push_back(typeOf(match.captured(2)));
        }
        NodeId id =
            graph().addCall(op.toStdString(), args(match.captured(6)), types, name.toStdString());
        graph().node(id).tuple = match.captured(2).isEmpty();
        ids_[name] = id;
    }
    void setOutputs(const QString& names) {
        for (const QString& name : pieces(names))
            graph().outputs.push_back(name == "None" ? NodeId() : ids_.at(name));
        int gradients = 0;
        for (NodeId id : graph().placeholders())
            gradients += graph().node(id).name.starts_with("primals");
        recorded_.joint.forwardOutputs = static_cast<int>(graph().outputs.size()) - gradients;
    }
    ir::Graph& graph() { return recorded_.joint.graph; }

    QString text_;
    Recorded recorded_;
    std::map<QString, NodeId> ids_;
    std::map<QString, std::map<int, ir::TensorType>> tupleTypes_;
};

/// PyTorch may save a view; we save what it shows.
QString baseOf(const ir::Graph& graph, NodeId id) {
    for (;;) {
        const ir::Node& node = graph.node(id);
        const ops::OpDef* def = ops::catalogue().find(node.op);
        if (!def || !def->isView()) return QString::fromStdString(node.name);
        id = *node.args[0].node();
    }
}

} // namespace

class TestPartitionReplay : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void the_saved_values_are_pytorchs_data() {
        QTest::addColumn<QString>("text");
        QDir folder(QStringLiteral(CUTAWAY_SOURCE_DIR "/tests/data/pytorch_joint_graphs"));
        for (const QString& name : folder.entryList({"*.txt"})) {
            QFile file(folder.filePath(name));
            QVERIFY(file.open(QIODevice::ReadOnly));
            // Some cases compile more than one function.
            int unit = 0;
            for (const QString& text : QString::fromUtf8(file.readAll()).split("=== joint"))
                if (!text.trimmed().isEmpty())
                    QTest::newRow(qPrintable(name + '#' + QString::number(unit++))) << text;
        }
    }
    void the_saved_values_are_pytorchs() {
        QFETCH(QString, text);
        Recorded recorded = Reader(text).read();
        autodiff::JointGraph& joint = recorded.joint;
        QCOMPARE(ir::verify(joint.graph).value_or(""), std::string());
        QVERIFY(joint.graph.order().size() > 3);
        check(passes::mergeCommon(joint.graph));
        check(passes::removeDead(joint.graph));
        auto parts = take(partition::partitionJointGraph(joint, partition::Partitioner::MinCut));
        std::map<QString, NodeId> ids;
        for (NodeId id : joint.graph.order())
            ids[QString::fromStdString(joint.graph.node(id).name)] = id;
        std::set<QString> saved, expected;
        for (const auto& value : parts.saved)
            saved.insert(QString::fromStdString(joint.graph.node(value.node).name));
        for (const QString& name : recorded.saved)
            expected.insert(baseOf(joint.graph, ids.at(name)));
        QCOMPARE(QStringList(saved.begin(), saved.end()).join(' '),
                 QStringList(expected.begin(), expected.end()).join(' '));
    }
};

QTEST_APPLESS_MAIN(TestPartitionReplay)
#include "test_partition_replay.moc"
