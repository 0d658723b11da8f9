// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/models/op_kind.h"

#include "views/models/format.h"

#include <QCoreApplication>
#include <QSet>

namespace cutaway::views {

namespace {

OpKind kindOfName(const QString& name) {
    static const QSet<QString> reductions{"sum", "mean", "amax",   "amin",      "max",     "min",
                                          "var", "prod", "any",    "argmax",    "all",     "argmin",
                                          "std", "norm", "cumsum", "logsumexp", "var_mean"};
    static const QSet<QString> products{"mm",          "bmm",    "addmm",  "matmul",
                                        "linear",      "dot",    "mv",     "baddbmm",
                                        "convolution", "conv2d", "einsum", "convolution_backward"};
    static const QSet<QString> views{
        "view",      "reshape", "permute",      "transpose",  "t",     "expand",    "squeeze",
        "unsqueeze", "slice",   "select",       "as_strided", "split", "unbind",    "alias",
        "detach",    "flatten", "_unsafe_view", "getitem",    "chunk", "unflatten", "contiguous",
        "movedim",   "narrow"};
    static const QSet<QString> constants{"full",          "zeros",     "ones",
                                         "scalar_tensor", "arange",    "full_like",
                                         "zeros_like",    "ones_like", "empty"};
    static const QSet<QString> random{"rand",       "randn",          "bernoulli",
                                      "dropout",    "native_dropout", "rand_like",
                                      "randn_like", "inductor_random"};
    static const QSet<QString> movers{"gather",
                                      "scatter",
                                      "index",
                                      "index_put",
                                      "cat",
                                      "stack",
                                      "embedding",
                                      "index_select",
                                      "scatter_add",
                                      "embedding_dense_backward",
                                      "nll_loss_backward"};
    if (reductions.contains(name)) return OpKind::Reduction;
    if (products.contains(name) || name.contains("attention")) return OpKind::Matmul;
    if (views.contains(name)) return OpKind::View;
    if (constants.contains(name)) return OpKind::Constant;
    if (random.contains(name)) return OpKind::Random;
    if (movers.contains(name)) return OpKind::Other;
    if (name.contains("norm") || name.contains("softmax") || name.contains("loss") ||
        name == "cross_entropy" || name.contains("pool"))
        return OpKind::Norm;
    return OpKind::Pointwise;
}

} // namespace

OpKind opKind(const record::GraphNode& node) {
    if (node.kind == "placeholder") return OpKind::Input;
    if (node.kind == "constant") return OpKind::Constant;
    return kindOfName(format::shortOp(QString::fromStdString(node.op)));
}

QString opKindLetter(OpKind kind) {
    return QString(QLatin1Char("ICPRMVNZX"[static_cast<int>(kind)]));
}

QString opKindName(OpKind kind) {
    static const char* const names[kOpKinds] = {
        QT_TRANSLATE_NOOP("OpKind", "input"),      QT_TRANSLATE_NOOP("OpKind", "constant"),
        QT_TRANSLATE_NOOP("OpKind", "pointwise"),  QT_TRANSLATE_NOOP("OpKind", "reduction"),
        QT_TRANSLATE_NOOP("OpKind", "product"),    QT_TRANSLATE_NOOP("OpKind", "view"),
        QT_TRANSLATE_NOOP("OpKind", "norm, loss"), QT_TRANSLATE_NOOP("OpKind", "random"),
        QT_TRANSLATE_NOOP("OpKind", "index, copy")};
    return QCoreApplication::translate("OpKind", names[static_cast<int>(kind)]);
}

} // namespace cutaway::views
