// SPDX-License-Identifier: Apache-2.0
#include "core/jit/listing_lines.h"

#include <QtTest>

using namespace cutaway::jit;

class TestListingLines : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void ptx_names_its_lines() {
        QCOMPARE(sourceLineNamedBy("\t.loc\t1 209 5"), std::optional(209));
        QCOMPARE(sourceLineNamedBy("\t.loc\t1 33 9, function_name $L__info_string0, "
                                   "inlined_at 1 212 23"),
                 std::optional(212));
        QCOMPARE(sourceLineNamedBy("\t.local .align 4 .b8 x[28];"), std::nullopt);
        QCOMPARE(sourceLineNamedBy("\tfma.rn.f32 \t%f3, %f1, %f2, %f1;"), std::nullopt);
    }
    void sass_names_its_lines() {
        QCOMPARE(sourceLineNamedBy("\t//## File \"/tmp/a b/fused_cos.cu\", line 206"),
                 std::optional(206));
        QCOMPARE(sourceLineNamedBy("\t//## File \"x.cu\", line 33 inlined at \"x.cu\", line 212"),
                 std::optional(212));
        QCOMPARE(sourceLineNamedBy("        /*0010*/                   S2R R12, SR_CTAID.X ;"),
                 std::nullopt);
    }
};

QTEST_APPLESS_MAIN(TestListingLines)
#include "test_listing_lines.moc"
