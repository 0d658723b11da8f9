// SPDX-License-Identifier: Apache-2.0
// Scripts with freezing: the results of scripts without, whatever happens to the weights between
// calls.
#include "tests/support/compiled_scripts.h"

#include <QtTest>

using namespace cutaway;

namespace {

/// \p freezing: how it is said; empty: not at all
std::string script(const std::string& freezing, const std::string& between) {
    return "import torch\nimport torch.nn as nn\nimport torch._inductor.config\n"
           "torch.manual_seed(3)\n"
           "net = nn.Sequential(nn.Conv2d(2, 3, 3), nn.BatchNorm2d(3), nn.ReLU(), nn.Flatten(),\n"
           "                    nn.Linear(12, 4), nn.BatchNorm1d(4))\n"
           "net(torch.randn(8, 2, 4, 4))\n" // running statistics
           "net.eval()\n" +
           (freezing.find("config") == std::string::npos ? std::string() : freezing + "\n") +
           "f = torch.compile(net" +
           (freezing.find("options") == std::string::npos ? std::string() : ", " + freezing) +
           ")\n"
           "x = torch.randn(2, 2, 4, 4)\n"
           "def show():\n"
           "    with torch.no_grad():\n"
           "        for v in f(x).flatten().tolist():\n"
           "            print(round(v, 3) + 0.0)\n"
           "show()\n" +
           between + "\nshow()\n";
}

} // namespace

class TestFrozenScripts : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void weights_that_change_are_noticed_data() {
        QTest::addColumn<QString>("between");
        QTest::newRow("nothing") << "";
        QTest::newRow("in place") << "with torch.no_grad():\n    net[0].weight.mul_(2)";
        QTest::newRow("a buffer") << "net[1].running_var.fill_(4.)";
        QTest::newRow("data") << "net[4].weight.data = torch.ones(4, 12)";
        QTest::newRow("a new parameter") << "net[4].bias = nn.Parameter(torch.ones(4))";
        QTest::newRow("a step of training")
            << "net.train()\nnet(x).sum().backward()\n"
               "torch.optim.SGD(net.parameters(), lr=0.1).step()\nnet.eval()";
        QTest::newRow("load_state_dict")
            << "net.load_state_dict({k: v * 2 for k, v in net.state_dict().items()})";
    }
    void weights_that_change_are_noticed() {
        QFETCH(QString, between);
        const std::string text = between.toStdString();
        const QString expected = QString::fromStdString(scripts_.run(script("", text)));
        QVERIFY2(expected.count('\n') == 16, qPrintable(expected));
        for (const char* freezing :
             {"torch._inductor.config.freezing = True", "options={'freezing': True}"})
            QCOMPARE(QString::fromStdString(scripts_.run(script(freezing, text))), expected);
    }
    void with_gradients_nothing_is_frozen() {
        const std::string train = "net(x).sum().backward()\nprint(net[0].weight.grad.sum() != 0)\n"
                                  "f(x).sum().backward()";
        QCOMPARE(scripts_.run(script("options={'freezing': True}", train)),
                 scripts_.run(script("", train)));
    }
    void the_setting_is_a_bool() {
        QVERIFY(QString::fromStdString(scripts_.run("import torch._inductor.config\n"
                                                    "torch._inductor.config.freezing = 'yes'\n"))
                    .contains("torch._inductor.config.freezing must be a bool, found str"));
    }

private:
    test::CompiledScripts scripts_;
};

QTEST_APPLESS_MAIN(TestFrozenScripts)
#include "test_frozen_scripts.moc"
