<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en_US">
<context>
    <name>CaptureRows</name>
    <message numerus="yes">
        <source>%n graph(s)</source>
        <translation>
            <numerusform>%n graph</numerusform>
            <numerusform>%n graphs</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n operation(s)</source>
        <translation>
            <numerusform>%n operation</numerusform>
            <numerusform>%n operations</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n graph break(s)</source>
        <translation>
            <numerusform>%n graph break</numerusform>
            <numerusform>%n graph breaks</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n guard(s)</source>
        <translation>
            <numerusform>%n guard</numerusform>
            <numerusform>%n guards</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>GraphFold</name>
    <message numerus="yes">
        <source>%1 node(s)</source>
        <translation>
            <numerusform>%1&#xa0;node</numerusform>
            <numerusform>%1&#xa0;nodes</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Numbers</name>
    <message numerus="yes">
        <source>%n value(s) hold elements that are not finite.</source>
        <translation>
            <numerusform>%n value holds elements that are not finite.</numerusform>
            <numerusform>%n values hold elements that are not finite.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Overview</name>
    <message numerus="yes">
        <source>%1 operation(s)</source>
        <translation>
            <numerusform>%1&#xa0;operation</numerusform>
            <numerusform>%1&#xa0;operations</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 input(s)</source>
        <translation>
            <numerusform>%1&#xa0;input</numerusform>
            <numerusform>%1&#xa0;inputs</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 tensor(s)</source>
        <translation>
            <numerusform>%1&#xa0;tensor</numerusform>
            <numerusform>%1&#xa0;tensors</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 value(s) computed again</source>
        <translation>
            <numerusform>%1&#xa0;value computed again</numerusform>
            <numerusform>%1&#xa0;values computed again</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 kernel(s)</source>
        <translation>
            <numerusform>%1&#xa0;kernel</numerusform>
            <numerusform>%1&#xa0;kernels</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Remarks</name>
    <message numerus="yes">
        <source>%1 bytes in %n place(s) (%2)</source>
        <translation>
            <numerusform>%1 bytes in %n place (%2)</numerusform>
            <numerusform>%1 bytes in %n places (%2)</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Rows</name>
    <message numerus="yes">
        <source>%1 kernel(s)</source>
        <translation>
            <numerusform>%1&#xa0;kernel</numerusform>
            <numerusform>%1&#xa0;kernels</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source> and %n more</source>
        <translation>
            <numerusform> and %n more</numerusform>
            <numerusform> and %n more</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>StageCells</name>
    <message numerus="yes">
        <source>%1 guard(s)</source>
        <translation>
            <numerusform>%1&#xa0;guard</numerusform>
            <numerusform>%1&#xa0;guards</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 buffer(s)</source>
        <translation>
            <numerusform>%1&#xa0;buffer</numerusform>
            <numerusform>%1&#xa0;buffers</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 kernel(s)</source>
        <translation>
            <numerusform>%1&#xa0;kernel</numerusform>
            <numerusform>%1&#xa0;kernels</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 line(s)</source>
        <translation>
            <numerusform>%1&#xa0;line</numerusform>
            <numerusform>%1&#xa0;lines</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 node(s)</source>
        <translation>
            <numerusform>%1&#xa0;node</numerusform>
            <numerusform>%1&#xa0;nodes</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Stories</name>
    <message numerus="yes">
        <source>%1 and %n more</source>
        <translation>
            <numerusform>%1 and %n more</numerusform>
            <numerusform>%1 and %n more</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>No path is left. The backward&apos;s side grows against what has room left, by %1: %n value(s) until now.</source>
        <translation>
            <numerusform>No path is left. The backward&apos;s side grows against what has room left, by %1: %n value until now.</numerusform>
            <numerusform>No path is left. The backward&apos;s side grows against what has room left, by %1: %n values until now.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n thread(s) at once.</source>
        <translation>
            <numerusform>%n thread at once.</numerusform>
            <numerusform>%n threads at once.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Timeline</name>
    <message numerus="yes">
        <source>Of %n kernel(s) it is not known which threads compute them: below these every thread&apos;s lane is empty.</source>
        <translation>
            <numerusform>Of %n kernel it is not known which threads compute it: below it every thread&apos;s lane is empty.</numerusform>
            <numerusform>Of %n kernels it is not known which threads compute them: below these every thread&apos;s lane is empty.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>cutaway::views::Banner</name>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>and %n more</numerusform>
            <numerusform>and %n more</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>cutaway::views::CodePane</name>
    <message numerus="yes">
        <source>// prelude, %n line(s): the button { } shows it</source>
        <translation>
            <numerusform>// prelude, %n line: the button { } shows it</numerusform>
            <numerusform>// prelude, %n lines: the button { } shows it</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>cutaway::views::CompareDialog</name>
    <message numerus="yes">
        <source>%1 line(s)</source>
        <translation>
            <numerusform>%1&#xa0;line</numerusform>
            <numerusform>%1&#xa0;lines</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>cutaway::views::ComparePane</name>
    <message numerus="yes">
        <source>%n more record(s) not drawn</source>
        <translation>
            <numerusform>%n more record not drawn</numerusform>
            <numerusform>%n more records not drawn</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>All %n stage(s) of both records are the same.</source>
        <translation>
            <numerusform>The one stage of both records is the same.</numerusform>
            <numerusform>All %n stages of both records are the same.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 of %n stage(s) differ:</source>
        <translation>
            <numerusform>%1 of %n stage differs:</numerusform>
            <numerusform>%1 of %n stages differ:</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>cutaway::views::GraphPane</name>
    <message numerus="yes">
        <source>%1 node(s)</source>
        <translation>
            <numerusform>%1&#xa0;node</numerusform>
            <numerusform>%1&#xa0;nodes</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 edge(s)</source>
        <translation>
            <numerusform>%1&#xa0;edge</numerusform>
            <numerusform>%1&#xa0;edges</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>cutaway::views::HistogramView</name>
    <message numerus="yes">
        <source>%1 value(s) from %2 to %3</source>
        <translation>
            <numerusform>%1 value from %2 to %3</numerusform>
            <numerusform>%1 values from %2 to %3</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>cutaway::views::KernelStage</name>
    <message numerus="yes">
        <source>%n cache line(s) so far</source>
        <translation>
            <numerusform>%n cache line so far</numerusform>
            <numerusform>%n cache lines so far</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>cutaway::views::MainWindow</name>
    <message numerus="yes">
        <source>%1 compilation(s)</source>
        <translation>
            <numerusform>%1 compilation</numerusform>
            <numerusform>%1 compilations</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Exported %n file(s) to %1</source>
        <translation>
            <numerusform>Exported %n file to %1</numerusform>
            <numerusform>Exported %n files to %1</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n decision(s)</source>
        <translation>
            <numerusform>%n decision</numerusform>
            <numerusform>%n decisions</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>cutaway::views::MemoryMap</name>
    <message numerus="yes">
        <source>%1 kernel(s), in order</source>
        <translation>
            <numerusform>%1&#xa0;kernel, in order</numerusform>
            <numerusform>%1&#xa0;kernels, in order</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>cutaway::views::NumbersPane</name>
    <message numerus="yes">
        <source>%1: %2 element(s)</source>
        <translation>
            <numerusform>%1: %2 element</numerusform>
            <numerusform>%1: %2 elements</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>cutaway::views::PartitionPane</name>
    <message numerus="yes">
        <source>%1 tensor(s) saved, %2</source>
        <translation>
            <numerusform>%1&#xa0;tensor saved, %2</numerusform>
            <numerusform>%1&#xa0;tensors saved, %2</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source> · %1 value(s) computed again</source>
        <translation>
            <numerusform> · %1&#xa0;value computed again</numerusform>
            <numerusform> · %1&#xa0;values computed again</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>cutaway::views::PassesPane</name>
    <message numerus="yes">
        <source>%n rewrite(s), all of them below</source>
        <translation>
            <numerusform>%n rewrite, all of it below</numerusform>
            <numerusform>%n rewrites, all of them below</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>cutaway::views::TimesPane</name>
    <message numerus="yes">
        <source>%n thread(s): %1 of %2</source>
        <translation>
            <numerusform>%n thread: %1 of %2</numerusform>
            <numerusform>%n threads: %1 of %2</numerusform>
        </translation>
    </message>
</context>
</TS>
