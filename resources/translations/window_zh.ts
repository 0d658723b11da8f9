<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
<context>
    <name>Assembly</name>
    <message>
        <source>adds</source>
        <translation>相加</translation>
    </message>
    <message>
        <source>subtracts and adds in turn</source>
        <translation>交替相减和相加</translation>
    </message>
    <message>
        <source>bitwise and</source>
        <translation>按位与</translation>
    </message>
    <message>
        <source>bitwise and with the complement of the first</source>
        <translation>与第一个操作数的反码按位与</translation>
    </message>
    <message>
        <source>takes each element from one of two, by a mask</source>
        <translation>按掩码从两者中逐元素选取</translation>
    </message>
    <message>
        <source>copies one element to all</source>
        <translation>把一个元素复制到所有位置</translation>
    </message>
    <message>
        <source>calls a function</source>
        <translation>调用函数</translation>
    </message>
    <message>
        <source>compares</source>
        <translation>比较</translation>
    </message>
    <message>
        <source>converts between types</source>
        <translation>类型转换</translation>
    </message>
    <message>
        <source>subtracts one</source>
        <translation>减一</translation>
    </message>
    <message>
        <source>divides</source>
        <translation>相除</translation>
    </message>
    <message>
        <source>takes out a part of a register</source>
        <translation>取出寄存器的一部分</translation>
    </message>
    <message>
        <source>multiplies and adds at once, with one rounding</source>
        <translation>乘加一次完成，只舍入一次</translation>
    </message>
    <message>
        <source>multiplies and subtracts at once, with one rounding</source>
        <translation>乘减一次完成，只舍入一次</translation>
    </message>
    <message>
        <source>subtracts a product at once, with one rounding</source>
        <translation>减去乘积，一次完成，只舍入一次</translation>
    </message>
    <message>
        <source>loads elements from several addresses</source>
        <translation>从多个地址收集元素</translation>
    </message>
    <message>
        <source>adds neighbours</source>
        <translation>相邻元素相加</translation>
    </message>
    <message>
        <source>multiplies integers</source>
        <translation>整数相乘</translation>
    </message>
    <message>
        <source>adds one</source>
        <translation>加一</translation>
    </message>
    <message>
        <source>puts a part into a register</source>
        <translation>把一部分放入寄存器</translation>
    </message>
    <message>
        <source>goes on at the label</source>
        <translation>跳转到标签处继续</translation>
    </message>
    <message>
        <source>computes an address</source>
        <translation>计算地址</translation>
    </message>
    <message>
        <source>the larger of two</source>
        <translation>取两者中较大的</translation>
    </message>
    <message>
        <source>the smaller of two</source>
        <translation>取两者中较小的</translation>
    </message>
    <message>
        <source>copies: loads, stores, or from register to register</source>
        <translation>复制：加载、存储或寄存器之间传送</translation>
    </message>
    <message>
        <source>loads or stores at an aligned address</source>
        <translation>在对齐的地址上加载或存储</translation>
    </message>
    <message>
        <source>loads or stores at any address</source>
        <translation>在任意地址上加载或存储</translation>
    </message>
    <message>
        <source>stores past the caches</source>
        <translation>绕过缓存直接存储</translation>
    </message>
    <message>
        <source>copies a number into a wider register</source>
        <translation>把数复制到更宽的寄存器</translation>
    </message>
    <message>
        <source>copies a number into a wider register, with zeros</source>
        <translation>把数零扩展复制到更宽的寄存器</translation>
    </message>
    <message>
        <source>multiplies</source>
        <translation>相乘</translation>
    </message>
    <message>
        <source>changes the sign</source>
        <translation>改变符号</translation>
    </message>
    <message>
        <source>does nothing</source>
        <translation>什么也不做</translation>
    </message>
    <message>
        <source>bitwise or</source>
        <translation>按位或</translation>
    </message>
    <message>
        <source>moves elements to other places</source>
        <translation>把元素移到别的位置</translation>
    </message>
    <message>
        <source>takes from the stack</source>
        <translation>出栈</translation>
    </message>
    <message>
        <source>fetches into a cache what is needed soon</source>
        <translation>把即将用到的数据预取到缓存</translation>
    </message>
    <message>
        <source>puts on the stack</source>
        <translation>入栈</translation>
    </message>
    <message>
        <source>about one divided by it</source>
        <translation>近似倒数</translation>
    </message>
    <message>
        <source>returns</source>
        <translation>返回</translation>
    </message>
    <message>
        <source>rounds to a whole number</source>
        <translation>舍入为整数</translation>
    </message>
    <message>
        <source>about one divided by the square root</source>
        <translation>近似平方根的倒数</translation>
    </message>
    <message>
        <source>shifts right, keeping the sign</source>
        <translation>算术右移，保留符号</translation>
    </message>
    <message>
        <source>multiplies by a power of two</source>
        <translation>乘以二的幂</translation>
    </message>
    <message>
        <source>shifts left</source>
        <translation>左移</translation>
    </message>
    <message>
        <source>shifts right</source>
        <translation>右移</translation>
    </message>
    <message>
        <source>square root</source>
        <translation>平方根</translation>
    </message>
    <message>
        <source>subtracts</source>
        <translation>相减</translation>
    </message>
    <message>
        <source>any bitwise function of three</source>
        <translation>三个操作数的任意按位函数</translation>
    </message>
    <message>
        <source>compares the bits of two</source>
        <translation>比较两者的各个位</translation>
    </message>
    <message>
        <source>takes elements of two in turn</source>
        <translation>从两者中交替取元素</translation>
    </message>
    <message>
        <source>bitwise exclusive or; of a register with itself: zero</source>
        <translation>按位异或；与自身异或得零</translation>
    </message>
    <message>
        <source>clears the upper halves of the wide registers</source>
        <translation>清零宽寄存器的高半部分</translation>
    </message>
    <message>
        <source>goes on at the label, if the comparison says so</source>
        <translation>若比较结果满足条件，则跳转到标签处</translation>
    </message>
    <message>
        <source>floats</source>
        <translation>单精度浮点</translation>
    </message>
    <message>
        <source>doubles</source>
        <translation>双精度浮点</translation>
    </message>
    <message>
        <source>one float</source>
        <translation>一个单精度浮点</translation>
    </message>
    <message>
        <source>one double</source>
        <translation>一个双精度浮点</translation>
    </message>
    <message>
        <source>%1 bits at once</source>
        <translation>一次 %1 位</translation>
    </message>
</context>
<context>
    <name>Attempts</name>
    <message>
        <source>edit from line %1 on</source>
        <translation>从第 %1 行起的编辑</translation>
    </message>
    <message>
        <source>edit, line %1: %2</source>
        <translation>编辑，第 %1 行：%2</translation>
    </message>
    <message>
        <source>the first that was compiled</source>
        <translation>首次编译</translation>
    </message>
    <message>
        <source>the first that was compiled: %1</source>
        <translation>首次编译：%1</translation>
    </message>
    <message>
        <source>size %1</source>
        <translation>尺寸 %1</translation>
    </message>
    <message>
        <source>device %1</source>
        <translation>设备 %1</translation>
    </message>
    <message>
        <source>as the compiler decides</source>
        <translation>由编译器决定</translation>
    </message>
    <message>
        <source>compiled again</source>
        <translation>再次编译</translation>
    </message>
    <message>
        <source>Compilation</source>
        <translation>编译</translation>
    </message>
    <message>
        <source>what it has that the one before has not; a double click or Enter goes back to it</source>
        <translation>与前一次的不同之处；双击或按 Enter 可回到它</translation>
    </message>
    <message>
        <source>When</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>Predicted</source>
        <translation>预测</translation>
    </message>
    <message>
        <source>time of all kernels by the cost model; beside it, against what is shown</source>
        <translation>按代价模型所有内核的时间；旁边是与当前所示的差</translation>
    </message>
    <message>
        <source>Saved</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>bytes that the backwards keep</source>
        <translation>反向保留的字节</translation>
    </message>
    <message>
        <source>Kernels</source>
        <translation>内核</translation>
    </message>
    <message>
        <source>Traffic</source>
        <translation>访存量</translation>
    </message>
    <message>
        <source>bytes read and written by kernels</source>
        <translation>内核读写的字节</translation>
    </message>
    <message>
        <source>Arena</source>
        <translation>内存池</translation>
    </message>
    <message>
        <source>memory for what lies between kernels</source>
        <translation>内核之间的数据所需的内存</translation>
    </message>
</context>
<context>
    <name>BoxFacts</name>
    <message>
        <source>box</source>
        <translation>框</translation>
    </message>
    <message>
        <source>Inside</source>
        <translation>其中</translation>
    </message>
    <message>
        <source>Nodes</source>
        <translation>节点</translation>
    </message>
    <message>
        <source>%1, of which parameters and inputs: %2</source>
        <translation>%1，其中参数和输入：%2</translation>
    </message>
    <message>
        <source>Operations</source>
        <translation>运算</translation>
    </message>
    <message>
        <source>Results</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>A double click opens it.</source>
        <translation>双击即可打开。</translation>
    </message>
</context>
<context>
    <name>CaptureRows</name>
    <message>
        <source>line %1</source>
        <translation>第 %1 行</translation>
    </message>
    <message numerus="yes">
        <source>%n graph(s)</source>
        <translation>
            <numerusform>%n 张图</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n operation(s)</source>
        <translation>
            <numerusform>%n 个算子</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n graph break(s)</source>
        <translation>
            <numerusform>%n 处图中断</numerusform>
        </translation>
    </message>
    <message>
        <source>goes on behind the graph break</source>
        <translation>在图中断之后继续</translation>
    </message>
    <message>
        <source>entry %1</source>
        <translation>条目 %1</translation>
    </message>
    <message numerus="yes">
        <source>%n guard(s)</source>
        <translation>
            <numerusform>%n 个守卫</numerusform>
        </translation>
    </message>
    <message>
        <source>made because</source>
        <translation>编译原因</translation>
    </message>
    <message>
        <source>graph break</source>
        <translation>图中断</translation>
    </message>
    <message>
        <source>hint</source>
        <translation>提示</translation>
    </message>
    <message>
        <source>backward</source>
        <translation>反向</translation>
    </message>
    <message>
        <source>Compiled part</source>
        <translation>编译的部分</translation>
    </message>
    <message>
        <source>Calls</source>
        <translation>各次调用</translation>
    </message>
    <message>
        <source>Numbers of the script&apos;s calls of the function that took the entry</source>
        <translation>脚本对该函数的调用中使用此条目的各次序号</translation>
    </message>
    <message>
        <source>What</source>
        <translation>内容</translation>
    </message>
    <message>
        <source>Where</source>
        <translation>位置</translation>
    </message>
    <message>
        <source>%1, with its forward</source>
        <translation>%1，随其前向显示</translation>
    </message>
</context>
<context>
    <name>Comparison</name>
    <message>
        <source>%1 graph</source>
        <translation>%1 图</translation>
    </message>
    <message>
        <source>%1 after pass %2: %3</source>
        <translation>%1，经过 Pass %2：%3</translation>
    </message>
    <message>
        <source>loops of %1</source>
        <translation>%1 的循环</translation>
    </message>
    <message>
        <source>kernels of %1</source>
        <translation>%1 的内核</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%2 的 %1</translation>
    </message>
</context>
<context>
    <name>Decisions</name>
    <message>
        <source>Leave it to the compiler</source>
        <translation>由编译器决定</translation>
    </message>
    <message>
        <source>saved</source>
        <translation>已保存</translation>
    </message>
    <message>
        <source>computed again</source>
        <translation>重计算</translation>
    </message>
    <message>
        <source>not needed by the backward</source>
        <translation>反向图不需要</translation>
    </message>
    <message>
        <source>Save “%1” for the backward</source>
        <translation>为反向图保存“%1”</translation>
    </message>
    <message>
        <source>Compute “%1” again in the backward</source>
        <translation>在反向图中重计算“%1”</translation>
    </message>
    <message>
        <source>one kernel: %1</source>
        <translation>一个内核：%1</translation>
    </message>
    <message>
        <source>two kernels: %1</source>
        <translation>两个内核：%1</translation>
    </message>
    <message>
        <source>Keep “%1” and “%2” apart</source>
        <translation>不融合“%1”和“%2”</translation>
    </message>
    <message>
        <source>Fuse “%1” and “%2”</source>
        <translation>融合“%1”和“%2”</translation>
    </message>
    <message>
        <source>save %1</source>
        <translation>保存 %1</translation>
    </message>
    <message>
        <source>compute %1 again</source>
        <translation>重计算 %1</translation>
    </message>
    <message>
        <source>run %1 as %2</source>
        <translation>以 %2 运行 %1</translation>
    </message>
    <message>
        <source>memory budget %1</source>
        <translation>内存预算 %1</translation>
    </message>
    <message>
        <source>partitioner %1</source>
        <translation>切分器 %1</translation>
    </message>
    <message>
        <source>without the pass %1</source>
        <translation>去掉 Pass %1</translation>
    </message>
    <message>
        <source>%1 and %2 apart</source>
        <translation>%1 与 %2 分开</translation>
    </message>
    <message>
        <source>%1 with %2</source>
        <translation>%1 与 %2 融合</translation>
    </message>
    <message>
        <source>input %1: %2</source>
        <translation>输入 %1：%2</translation>
    </message>
    <message>
        <source>not followed: %1</source>
        <translation>未被采纳：%1</translation>
    </message>
    <message>
        <source>%1 right before %2</source>
        <translation>%1 紧接在 %2 之前</translation>
    </message>
    <message>
        <source>%1 of line %2</source>
        <translation>第 %2 行的 %1</translation>
    </message>
    <message>
        <source>the name now means another value: %1</source>
        <translation>这个名字现在指另一个值：%1</translation>
    </message>
    <message>
        <source>%1. No decision changes that: %2</source>
        <translation>%1。任何决定都改变不了这一点：%2</translation>
    </message>
    <message>
        <source>fold what parameters alone give</source>
        <translation>折叠仅由参数决定的部分</translation>
    </message>
    <message>
        <source>Decided instead of the compiler, in this order. A shell applies it with: cutaway bench FILE --recipe RECIPE</source>
        <translation>代替编译器作出的决定，按此顺序。在命令行中这样应用：cutaway bench FILE --recipe RECIPE</translation>
    </message>
    <message>
        <source>line %1 is no decision: %2</source>
        <translation>第 %1 行不是决定：%2</translation>
    </message>
    <message>
        <source>it decides nothing</source>
        <translation>其中没有任何决定</translation>
    </message>
    <message>
        <source>pass %1: %2</source>
        <translation>Pass %1：%2</translation>
    </message>
</context>
<context>
    <name>DocumentFile</name>
    <message>
        <source>there is no such file</source>
        <translation>没有这个文件</translation>
    </message>
    <message>
        <source>this is no file but a folder, pipe or device</source>
        <translation>这不是文件，而是文件夹、管道或设备</translation>
    </message>
    <message>
        <source>Cutaway opens scripts (.py), exported programs (.pt2), ONNX models (.onnx) and records (.cutaway).</source>
        <translation>Cutaway 可以打开脚本（.py）、导出的程序（.pt2）、ONNX 模型（.onnx）和记录（.cutaway）。</translation>
    </message>
    <message>
        <source>this is a zip archive without a Cutaway record in it. %1</source>
        <translation>这是一个 zip 压缩包，其中没有 Cutaway 记录。%1</translation>
    </message>
    <message>
        <source>%1 MiB are too much for a script; the most is %2 MiB. %3</source>
        <translation>%1 MiB 对脚本来说太大，最大为 %2 MiB。%3</translation>
    </message>
    <message>
        <source>this is no text in UTF-8 (line %1, byte %2 of the file is 0x%3). %4</source>
        <translation>这不是 UTF-8 文本（第 %1 行，文件的第 %2 个字节是 0x%3）。%4</translation>
    </message>
    <message>
        <source>this is a model in the format %1, which holds no program to compile. %2 Open the script that it was made with; graphs of ONNX and torch.export can be added in Compare.</source>
        <translation>这是 %1 格式的模型，其中没有可编译的程序。%2 请打开生成它的脚本；ONNX 和 torch.export 的图可以在“比较”中添加。</translation>
    </message>
    <message>
        <source>these are trace events; Times shows them beside a script. %1</source>
        <translation>这些是跟踪事件；“时间”面板可在脚本旁边显示它们。%1</translation>
    </message>
    <message>
        <source>this is a log of PyTorch&apos;s compiler, whose graphs can be added in Compare. %1</source>
        <translation>这是 PyTorch 编译器的日志，其中的图可以加入“比较”。%1</translation>
    </message>
</context>
<context>
    <name>DraftStore</name>
    <message>
        <source>cannot write in &apos;%1&apos;</source>
        <translation>无法写入“%1”</translation>
    </message>
    <message>
        <source>check the folder&apos;s permissions and the free space</source>
        <translation>请检查文件夹的权限和剩余空间</translation>
    </message>
    <message>
        <source>untitled: %1</source>
        <translation>未命名：%1</translation>
    </message>
    <message>
        <source>untitled</source>
        <translation>未命名</translation>
    </message>
</context>
<context>
    <name>FactText</name>
    <message>
        <source>Reveal in</source>
        <translation>显示于</translation>
    </message>
</context>
<context>
    <name>Format</name>
    <message>
        <source>not measured</source>
        <translation>未测量</translation>
    </message>
</context>
<context>
    <name>GivenInput</name>
    <message>
        <source>no file is chosen</source>
        <translation>未选择文件</translation>
    </message>
    <message>
        <source>the file&apos;s name holds “; ”</source>
        <translation>文件名含有“; ”</translation>
    </message>
    <message>
        <source>the file cannot be read</source>
        <translation>无法读取该文件</translation>
    </message>
    <message>
        <source>the deviation is negative</source>
        <translation>标准差为负</translation>
    </message>
    <message>
        <source>the range is empty</source>
        <translation>范围为空</translation>
    </message>
    <message>
        <source>the range is not of whole numbers</source>
        <translation>范围不是整数</translation>
    </message>
</context>
<context>
    <name>Glossary</name>
    <message>
        <source>Arena</source>
        <translation>内存池</translation>
    </message>
    <message>
        <source>One block of memory in which all buffers between kernels lie. Buffers that are not needed at the same time may share its bytes.</source>
        <translation>一整块内存，内核之间的缓冲区都放在其中。不同时需要的缓冲区可以共用其中的字节。</translation>
    </message>
    <message>
        <source>Arithmetic intensity</source>
        <translation>计算强度</translation>
    </message>
    <message>
        <source>Operations for each byte that is read or written. Little of it: memory is the limit; much of it: arithmetic.</source>
        <translation>每读写一个字节所做的运算次数。低则受限于内存，高则受限于算术。</translation>
    </message>
    <message>
        <source>Backend</source>
        <translation>后端</translation>
    </message>
    <message>
        <source>Who compiles what was captured: eager (nobody), aot_eager (joint graph and partition only), inductor (everything).</source>
        <translation>由谁来编译捕获的图：eager（不编译）、aot_eager（只到联合图和切分）、inductor（完整流水线）。</translation>
    </message>
    <message>
        <source>Backward graph</source>
        <translation>反向图</translation>
    </message>
    <message>
        <source>What computes the gradients, from the saved tensors and the tangents.</source>
        <translation>由保存的张量和切向量计算梯度的图。</translation>
    </message>
    <message>
        <source>Buffer</source>
        <translation>缓冲区</translation>
    </message>
    <message>
        <source>What one loop nest computes: a tensor in memory, or a value that never leaves the registers of a fused kernel.</source>
        <translation>一个循环嵌套的计算结果：内存中的张量，或从不离开融合内核寄存器的值。</translation>
    </message>
    <message>
        <source>Capture</source>
        <translation>捕获</translation>
    </message>
    <message>
        <source>Running the function once with stand-ins for tensors. What it does to them becomes a graph; Python itself is gone.</source>
        <translation>用张量的替身把函数运行一遍。对张量所做的事成为图，Python 本身不再出现。</translation>
    </message>
    <message>
        <source>Decomposition</source>
        <translation>分解</translation>
    </message>
    <message>
        <source>A composite operation (softmax, layer norm) written as small ones, which can be fused.</source>
        <translation>把复合算子（softmax、layer norm）写成可以融合的小算子。</translation>
    </message>
    <message>
        <source>Eager</source>
        <translation>即时执行（eager）</translation>
    </message>
    <message>
        <source>One operation after the other, each at once, as Python calls them. What compiled code is compared with.</source>
        <translation>按 Python 的调用逐个立即执行算子。编译后的代码以此为比较对象。</translation>
    </message>
    <message>
        <source>Forward graph</source>
        <translation>前向图</translation>
    </message>
    <message>
        <source>What runs first: the function&apos;s results, and what it saves for the backward.</source>
        <translation>先运行的图：给出函数的结果，以及为反向保存的值。</translation>
    </message>
    <message>
        <source>Fusion</source>
        <translation>融合</translation>
    </message>
    <message>
        <source>Several operations in one kernel, so that what lies between them need not reach memory.</source>
        <translation>把多个算子放进一个内核，使中间结果不必进入内存。</translation>
    </message>
    <message>
        <source>Graph</source>
        <translation>图</translation>
    </message>
    <message>
        <source>Operations as nodes, tensors as the edges between them.</source>
        <translation>以算子为节点、以张量为边。</translation>
    </message>
    <message>
        <source>Graph break</source>
        <translation>图中断</translation>
    </message>
    <message>
        <source>A place that cannot be captured: Python runs it, and another graph begins behind it.</source>
        <translation>无法捕获的地方：由 Python 执行，之后开始另一个图。</translation>
    </message>
    <message>
        <source>Guard</source>
        <translation>守卫</translation>
    </message>
    <message>
        <source>A condition that held at capture (a shape, a value). While all hold, the compiled entry may be used again.</source>
        <translation>捕获时成立的条件（形状、值）。全部成立时，编译好的条目可以再次使用。</translation>
    </message>
    <message>
        <source>Joint graph</source>
        <translation>联合图</translation>
    </message>
    <message>
        <source>Forward and backward in one graph, before they are cut apart.</source>
        <translation>割开之前，前向和反向在一个图中。</translation>
    </message>
    <message>
        <source>Kernel</source>
        <translation>内核</translation>
    </message>
    <message>
        <source>What is launched at once: loops that were fused, or a call of a library.</source>
        <translation>一次启动的单位：融合后的循环，或一次库调用。</translation>
    </message>
    <message>
        <source>Loop IR</source>
        <translation>循环 IR</translation>
    </message>
    <message>
        <source>Each buffer as a loop nest over its elements, before kernels are made of them.</source>
        <translation>在组成内核之前，每个缓冲区写成遍历其元素的循环嵌套。</translation>
    </message>
    <message>
        <source>Minimum cut</source>
        <translation>最小割</translation>
    </message>
    <message>
        <source>The cheapest set of values that separates what is known in the forward from what the backward computes. These are saved.</source>
        <translation>把前向已知的值与反向要计算的值分开的、代价最小的一组值。它们被保存。</translation>
    </message>
    <message>
        <source>Operation</source>
        <translation>算子</translation>
    </message>
    <message>
        <source>One step on tensors, with its ATen name: aten.add.Tensor.</source>
        <translation>对张量的一步计算，用 ATen 名称：aten.add.Tensor。</translation>
    </message>
    <message>
        <source>Pass</source>
        <translation>Pass</translation>
    </message>
    <message>
        <source>A rewrite of a graph that keeps what it computes.</source>
        <translation>保持计算结果不变的一次图改写。</translation>
    </message>
    <message>
        <source>Partition</source>
        <translation>切分</translation>
    </message>
    <message>
        <source>Cutting the joint graph into forward and backward, and deciding what is saved between them.</source>
        <translation>把联合图割成前向图和反向图，并决定其间保存什么。</translation>
    </message>
    <message>
        <source>Pointwise</source>
        <translation>逐元素</translation>
    </message>
    <message>
        <source>Each element of the result needs the same element of the inputs only.</source>
        <translation>结果的每个元素只需要输入的对应元素。</translation>
    </message>
    <message>
        <source>Primals and tangents</source>
        <translation>原始输入与切向量</translation>
    </message>
    <message>
        <source>Inputs of the joint graph: those of the function, and the gradients of its results.</source>
        <translation>联合图的输入：函数的输入，以及其结果的梯度。</translation>
    </message>
    <message>
        <source>Recomputation</source>
        <translation>重计算</translation>
    </message>
    <message>
        <source>Computing a value again in the backward because that costs less than keeping it.</source>
        <translation>在反向中重新计算某个值，因为这比保存它更便宜。</translation>
    </message>
    <message>
        <source>Record</source>
        <translation>记录</translation>
    </message>
    <message>
        <source>Everything that a compilation did, in one file: what the window shows.</source>
        <translation>一次编译所做的一切，存于一个文件：窗口显示的就是它。</translation>
    </message>
    <message>
        <source>Reduction</source>
        <translation>归约</translation>
    </message>
    <message>
        <source>Many elements become one: a sum, a maximum.</source>
        <translation>许多元素变成一个：求和、求最大值。</translation>
    </message>
    <message>
        <source>Saved tensor</source>
        <translation>保存的张量</translation>
    </message>
    <message>
        <source>A value that the forward keeps in memory until the backward has run.</source>
        <translation>前向保留在内存中、直到反向运行完的值。</translation>
    </message>
    <message>
        <source>Schedule</source>
        <translation>调度</translation>
    </message>
    <message>
        <source>How a kernel&apos;s loops run: vectors, threads, tiles. Several are predicted, the fastest is taken.</source>
        <translation>内核的循环如何运行：向量、线程、分块。预测多种方式，采用最快的。</translation>
    </message>
    <message>
        <source>Stride</source>
        <translation>步幅</translation>
    </message>
    <message>
        <source>How far apart in memory neighbours along a dimension lie.</source>
        <translation>沿某一维相邻的两个元素在内存中的间距。</translation>
    </message>
    <message>
        <source>Traffic</source>
        <translation>访存量</translation>
    </message>
    <message>
        <source>Bytes that kernels read and write. What fusion makes less.</source>
        <translation>内核读写的字节数。融合使它减少。</translation>
    </message>
</context>
<context>
    <name>GraphCanvas</name>
    <message>
        <source>cut</source>
        <translation>割</translation>
    </message>
</context>
<context>
    <name>GraphExport</name>
    <message>
        <source>Scalable vector graphics (*.svg)</source>
        <translation>可缩放矢量图形 (*.svg)</translation>
    </message>
    <message>
        <source>Portable document (*.pdf)</source>
        <translation>便携式文档 (*.pdf)</translation>
    </message>
    <message>
        <source>Picture (*.png)</source>
        <translation>图片 (*.png)</translation>
    </message>
    <message>
        <source>Graphviz (*.dot)</source>
        <translation>Graphviz (*.dot)</translation>
    </message>
    <message>
        <source>no node of this graph is selected</source>
        <translation>没有选中此图的任何节点</translation>
    </message>
    <message>
        <source>there is no graph to export</source>
        <translation>没有可导出的图</translation>
    </message>
    <message>
        <source>the graph cannot be drawn</source>
        <translation>此图无法绘制</translation>
    </message>
    <message>
        <source>GraphML (*.graphml)</source>
        <translation>GraphML (*.graphml)</translation>
    </message>
    <message>
        <source>“.%1” is none of .svg, .pdf, .png, .dot, .graphml</source>
        <translation>“.%1” 不是 .svg、.pdf、.png、.dot、.graphml 之一</translation>
    </message>
</context>
<context>
    <name>GraphFold</name>
    <message>
        <source>block of %1</source>
        <translation>%1 的重复块</translation>
    </message>
    <message numerus="yes">
        <source>%1 node(s)</source>
        <translation>
            <numerusform>%1 个节点</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>HeatMap</name>
    <message>
        <source>Kind</source>
        <translation>类别</translation>
    </message>
    <message>
        <source>Bytes</source>
        <translation>字节数</translation>
    </message>
    <message>
        <source>Saved bytes</source>
        <translation>保存的字节数</translation>
    </message>
    <message>
        <source>Work</source>
        <translation>计算量</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>%1 – %2</source>
        <translation>%1 – %2</translation>
    </message>
    <message>
        <source>of the kernel that computes a node</source>
        <translation>计算该节点的内核所用的时间</translation>
    </message>
    <message>
        <source>not measured yet: F5 measures</source>
        <translation>尚未测量：按 F5 测量</translation>
    </message>
    <message>
        <source>Error</source>
        <translation>误差</translation>
    </message>
    <message>
        <source>exact</source>
        <translation>精确</translation>
    </message>
    <message>
        <source>up to %1</source>
        <translation>至多 %1</translation>
    </message>
    <message>
        <source>more than %1</source>
        <translation>大于 %1</translation>
    </message>
    <message>
        <source>of compiled values, relative to double precision</source>
        <translation>编译所得的值相对于双精度的误差</translation>
    </message>
    <message>
        <source>not compared yet: the Numbers pane compares</source>
        <translation>尚未比较：“数值”面板可以比较</translation>
    </message>
    <message>
        <source>From a file…</source>
        <translation>来自文件…</translation>
    </message>
    <message>
        <source>no node here is named in %1</source>
        <translation>%1 没有提到这里的节点</translation>
    </message>
    <message>
        <source>no file is chosen</source>
        <translation>没有选择文件</translation>
    </message>
    <message>
        <source>%1: no node here has any</source>
        <translation>%1：这里没有节点具有该数据</translation>
    </message>
    <message>
        <source>Occupancy</source>
        <translation>占用率</translation>
    </message>
    <message>
        <source>of a multiprocessor, predicted for the kernel&apos;s CUDA text</source>
        <translation>多处理器的占用率，按内核的 CUDA 文本预测</translation>
    </message>
    <message>
        <source>%1: %2 of %3 are of nodes here</source>
        <translation>%1：%3 个中有 %2 个属于此处的节点</translation>
    </message>
</context>
<context>
    <name>ItemFacts</name>
    <message>
        <source>kernel</source>
        <translation>内核</translation>
    </message>
    <message>
        <source>Work</source>
        <translation>计算量</translation>
    </message>
    <message>
        <source>Reads</source>
        <translation>读取</translation>
    </message>
    <message>
        <source>Writes</source>
        <translation>写入</translation>
    </message>
    <message>
        <source>Intensity</source>
        <translation>计算强度</translation>
    </message>
    <message>
        <source>%1 FLOP a byte</source>
        <translation>每字节 %1 FLOP</translation>
    </message>
    <message>
        <source>Measured</source>
        <translation>实测</translation>
    </message>
    <message>
        <source>Bandwidth</source>
        <translation>带宽</translation>
    </message>
    <message>
        <source>Data</source>
        <translation>数据</translation>
    </message>
    <message>
        <source>Reads from</source>
        <translation>读自</translation>
    </message>
    <message>
        <source>Writes to</source>
        <translation>写到</translation>
    </message>
    <message>
        <source>Computes</source>
        <translation>计算</translation>
    </message>
    <message>
        <source>Schedule</source>
        <translation>调度</translation>
    </message>
    <message>
        <source>taken, %1 predicted</source>
        <translation>已采用，预测 %1</translation>
    </message>
    <message>
        <source>%1 predicted</source>
        <translation>预测 %1</translation>
    </message>
    <message>
        <source>Kernels</source>
        <translation>内核</translation>
    </message>
    <message>
        <source>Code</source>
        <translation>代码</translation>
    </message>
    <message>
        <source>buffer</source>
        <translation>缓冲区</translation>
    </message>
    <message>
        <source>Buffer</source>
        <translation>缓冲区</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>类别</translation>
    </message>
    <message>
        <source>Where</source>
        <translation>位置</translation>
    </message>
    <message>
        <source>memory, %1</source>
        <translation>内存，%1</translation>
    </message>
    <message>
        <source>registers of its kernel: never in memory</source>
        <translation>所属内核的寄存器：从不进入内存</translation>
    </message>
    <message>
        <source>Kernel</source>
        <translation>内核</translation>
    </message>
    <message>
        <source>Lies</source>
        <translation>存放</translation>
    </message>
    <message>
        <source>at byte %1, from kernel %2 to %3 — %4</source>
        <translation>从字节 %1 起，存活于内核 %2 到 %3 — %4</translation>
    </message>
    <message>
        <source>Loops</source>
        <translation>循环</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>line of code</source>
        <translation>代码行</translation>
    </message>
    <message>
        <source>Comes from</source>
        <translation>来自</translation>
    </message>
    <message>
        <source>Source</source>
        <translation>源码</translation>
    </message>
    <message>
        <source>source line</source>
        <translation>源码行</translation>
    </message>
    <message>
        <source>What became of it</source>
        <translation>变成了什么</translation>
    </message>
    <message>
        <source>kernels</source>
        <translation>内核</translation>
    </message>
    <message>
        <source>nothing is compiled from this line: Python runs it. Tensors that it makes may come into a graph as inputs.</source>
        <translation>这一行没有编译出任何东西：它由 Python 运行。它产生的张量可能作为输入进入图中。</translation>
    </message>
    <message>
        <source>selection</source>
        <translation>选择</translation>
    </message>
    <message>
        <source>%1 items</source>
        <translation>%1 项</translation>
    </message>
    <message>
        <source>Selected</source>
        <translation>已选中</translation>
    </message>
    <message>
        <source>Together</source>
        <translation>合计</translation>
    </message>
    <message>
        <source>Bytes</source>
        <translation>字节数</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>值</translation>
    </message>
    <message>
        <source>dtype</source>
        <translation>dtype</translation>
    </message>
    <message>
        <source>Shape</source>
        <translation>形状</translation>
    </message>
    <message>
        <source>Stride</source>
        <translation>步幅</translation>
    </message>
    <message>
        <source>Neighbours</source>
        <translation>相邻节点</translation>
    </message>
    <message>
        <source>Arguments</source>
        <translation>参数</translation>
    </message>
    <message>
        <source>Users</source>
        <translation>使用者</translation>
    </message>
    <message>
        <source>result of the graph</source>
        <translation>图的结果</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>Partition</source>
        <translation>切分</translation>
    </message>
    <message>
        <source>Saved</source>
        <translation>已保存</translation>
    </message>
    <message>
        <source>Recomputed</source>
        <translation>已重计算</translation>
    </message>
    <message>
        <source>Module</source>
        <translation>模块</translation>
    </message>
    <message>
        <source>Made by</source>
        <translation>产生者</translation>
    </message>
    <message>
        <source>Guards</source>
        <translation>守卫</translation>
    </message>
    <message>
        <source>Operation</source>
        <translation>算子</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>What it does</source>
        <translation>作用</translation>
    </message>
    <message>
        <source>Formula</source>
        <translation>公式</translation>
    </message>
    <message>
        <source>Written</source>
        <translation>写法</translation>
    </message>
    <message>
        <source>%1 more</source>
        <translation>还有 %1 项</translation>
    </message>
    <message>
        <source>Fusion</source>
        <translation>融合</translation>
    </message>
    <message>
        <source>Fused</source>
        <translation>已融合</translation>
    </message>
    <message>
        <source>Apart</source>
        <translation>分开</translation>
    </message>
    <message>
        <source>contiguous</source>
        <translation>连续</translation>
    </message>
    <message>
        <source>input</source>
        <translation>输入</translation>
    </message>
    <message>
        <source>constant</source>
        <translation>常量</translation>
    </message>
    <message>
        <source>operation</source>
        <translation>算子</translation>
    </message>
    <message>
        <source>Graph: %1</source>
        <translation>图：%1</translation>
    </message>
    <message>
        <source>(expanded: elements are repeated along a stride of 0; %1 if they were not)</source>
        <translation>（已扩展：元素沿步幅 0 重复；若不重复则为 %1）</translation>
    </message>
    <message>
        <source>Results</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>Parameters and inputs</source>
        <translation>参数与输入</translation>
    </message>
    <message>
        <source>%1 of the warps of a multiprocessor (%2), predicted: %3 blocks of %4 threads, about %5 registers a thread, %6 of shared memory</source>
        <translation>预测占多处理器 (%2) 线程束的 %1：%3 个块，每块 %4 个线程，每线程约 %5 个寄存器，共享内存 %6</translation>
    </message>
    <message>
        <source>; held back by %1</source>
        <translation>；受限于 %1</translation>
    </message>
    <message>
        <source>Occupancy</source>
        <translation>占用率</translation>
    </message>
    <message>
        <source>The C++ compiler</source>
        <translation>C++ 编译器</translation>
    </message>
    <message>
        <source>line %1</source>
        <translation>第 %1 行</translation>
    </message>
</context>
<context>
    <name>KernelChain</name>
    <message>
        <source>%1, %2 of the kernels&apos; time</source>
        <translation>%1，占内核时间的 %2</translation>
    </message>
    <message>
        <source>nothing beside it to fuse</source>
        <translation>旁边没有可融合的内容</translation>
    </message>
    <message>
        <source>%1 fused with %2: %3</source>
        <translation>%1 与 %2 融合：%3</translation>
    </message>
    <message>
        <source>%1 apart from %2: %3</source>
        <translation>%1 与 %2 分开：%3</translation>
    </message>
    <message>
        <source> and %1 more</source>
        <translation> 等 %1 项</translation>
    </message>
    <message>
        <source>time its other schedules (%1)</source>
        <translation>给它的其他调度计时（%1 个）</translation>
    </message>
    <message>
        <source>the fastest of its schedules, when timed</source>
        <translation>实测为其各调度中最快</translation>
    </message>
    <message>
        <source>%1 takes %2 instead of %3</source>
        <translation>%1 用时 %2，而不是 %3</translation>
    </message>
    <message>
        <source>kernel %1</source>
        <translation>内核 %1</translation>
    </message>
    <message>
        <source>made by %1</source>
        <translation>由 %1 生成</translation>
    </message>
    <message>
        <source>other programs had the processors while its schedules were timed: time them again (%1)</source>
        <translation>测量其调度时处理器被其他程序占用：重新测量（%1）</translation>
    </message>
</context>
<context>
    <name>Kinds</name>
    <message>
        <source>input</source>
        <translation>输入</translation>
    </message>
    <message>
        <source>constant</source>
        <translation>常量</translation>
    </message>
    <message>
        <source>pointwise</source>
        <translation>逐元素</translation>
    </message>
    <message>
        <source>scatter</source>
        <translation>散布</translation>
    </message>
    <message>
        <source>reduction</source>
        <translation>归约</translation>
    </message>
    <message>
        <source>library</source>
        <translation>库</translation>
    </message>
    <message>
        <source>result</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>loops</source>
        <translation>循环</translation>
    </message>
    <message>
        <source>matmul</source>
        <translation>矩阵乘</translation>
    </message>
    <message>
        <source>convolution</source>
        <translation>卷积</translation>
    </message>
    <message>
        <source>convolution_image</source>
        <translation>卷积对图像的梯度</translation>
    </message>
    <message>
        <source>convolution_weight</source>
        <translation>卷积对权重的梯度</translation>
    </message>
    <message>
        <source>sort</source>
        <translation>排序</translation>
    </message>
    <message>
        <source>scan</source>
        <translation>扫描</translation>
    </message>
    <message>
        <source>linear_algebra</source>
        <translation>线性代数</translation>
    </message>
    <message>
        <source>attention</source>
        <translation>注意力</translation>
    </message>
    <message>
        <source>attention_backward</source>
        <translation>注意力反向</translation>
    </message>
</context>
<context>
    <name>Layouts</name>
    <message>
        <source>&amp;Learn</source>
        <translation>学习(&amp;L)</translation>
    </message>
    <message>
        <source>The script, its graphs, and what is known of what is selected</source>
        <translation>脚本、它的各个图，以及选中对象的全部信息</translation>
    </message>
    <message>
        <source>&amp;Compare</source>
        <translation>比较(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Profile</source>
        <translation>性能(&amp;P)</translation>
    </message>
    <message>
        <source>What was measured, the kernels and their code</source>
        <translation>测量结果、内核及其代码</translation>
    </message>
    <message>
        <source>P&amp;resent</source>
        <translation>演示(&amp;R)</translation>
    </message>
    <message>
        <source>Any two stages, passes or records beside the script and its code</source>
        <translation>任意两个阶段、遍或记录，旁边是脚本及其代码</translation>
    </message>
    <message>
        <source>Script, graph and code in large type, for a projector</source>
        <translation>用大字号显示脚本、图和代码，供投影使用</translation>
    </message>
</context>
<context>
    <name>Measured</name>
    <message>
        <source>size %1</source>
        <translation>规模 %1</translation>
    </message>
    <message>
        <source>threads: %1</source>
        <translation>线程数：%1</translation>
    </message>
    <message>
        <source>decided: %1</source>
        <translation>人工决定：%1</translation>
    </message>
    <message>
        <source>, before the text changed</source>
        <translation>，文本修改之前</translation>
    </message>
    <message>
        <source>, before that was taken back</source>
        <translation>，在撤回该决定之前</translation>
    </message>
    <message>
        <source>, before it was decided: %1</source>
        <translation>，在作出此决定之前：%1</translation>
    </message>
</context>
<context>
    <name>MemoryPeak</name>
    <message>
        <source>%1 (in the place of %2)</source>
        <translation>%1（占用 %2 的位置）</translation>
    </message>
    <message>
        <source>%1 more</source>
        <translation>还有 %1 项</translation>
    </message>
    <message>
        <source>Peak at %1, kernel %2 of %3: %4 in use by %5.</source>
        <translation>峰值出现在 %1，第 %2 个内核，共 %3 个：%5 占用 %4。</translation>
    </message>
    <message>
        <source>The arena has %1 more, for alignment and gaps between buffers that live longer.</source>
        <translation>内存池还多出 %1，用于对齐以及存活更久的缓冲区之间的空隙。</translation>
    </message>
</context>
<context>
    <name>MessageReader</name>
    <message>
        <source>a message without a Content-Length header</source>
        <translation>消息缺少 Content-Length 头</translation>
    </message>
    <message>
        <source>a message without a usable Content-Length header</source>
        <translation>消息缺少可用的 Content-Length 头</translation>
    </message>
</context>
<context>
    <name>NodeQuery</name>
    <message>
        <source>no field “%1”: op, name, type, module, kind, bytes</source>
        <translation>没有字段“%1”：op、name、type、module、kind、bytes</translation>
    </message>
    <message>
        <source>Words, fields and expressions: relu  op:mm  op:*mm  module:attn  kind:product  type:f16  bytes&gt;1M  -op:view  /^mm_\d+$/</source>
        <translation>单词、字段和表达式：relu  op:mm  op:*mm  module:attn  kind:product  type:f16  bytes&gt;1M  -op:view  /^mm_\d+$/</translation>
    </message>
</context>
<context>
    <name>NodeValues</name>
    <message>
        <source>%1: “%2” has no number</source>
        <translation>%1：“%2”没有数值</translation>
    </message>
    <message>
        <source>%1, line %2: expected a node and a number, “cos_1,0.5”</source>
        <translation>%1，第 %2 行：应为节点和数值，如“cos_1,0.5”</translation>
    </message>
    <message>
        <source>%1 holds no numbers of nodes</source>
        <translation>%1 不含节点的数值</translation>
    </message>
</context>
<context>
    <name>Numbers</name>
    <message>
        <source>Value</source>
        <translation>值</translation>
    </message>
    <message>
        <source>in the order in which they are computed; sorted by it again with a click</source>
        <translation>按计算的先后排列；点击即恢复此顺序</translation>
    </message>
    <message>
        <source>Operation</source>
        <translation>算子</translation>
    </message>
    <message>
        <source>Error</source>
        <translation>误差</translation>
    </message>
    <message>
        <source>of the compiled value against double precision, at its worst element: relative to the element or, if that is larger, to the root mean square of all</source>
        <translation>编译所得的值与双精度相比，取最差的元素：相对于该元素；若全体的均方根更大，则相对于均方根</translation>
    </message>
    <message>
        <source>Absolute</source>
        <translation>绝对误差</translation>
    </message>
    <message>
        <source>largest absolute error of the compiled value</source>
        <translation>编译所得的值的最大绝对误差</translation>
    </message>
    <message>
        <source>Eager error</source>
        <translation>eager 误差</translation>
    </message>
    <message>
        <source>the same of eager mode, one operation after the other</source>
        <translation>eager 模式逐个算子执行时的同一误差</translation>
    </message>
    <message>
        <source>largest absolute error of eager mode</source>
        <translation>eager 模式的最大绝对误差</translation>
    </message>
    <message>
        <source>Not finite</source>
        <translation>非有限</translation>
    </message>
    <message>
        <source>elements that are infinite or NaN</source>
        <translation>无穷大或 NaN 的元素</translation>
    </message>
    <message>
        <source>Least</source>
        <translation>最小</translation>
    </message>
    <message>
        <source>of the elements that are finite</source>
        <translation>仅计有限的元素</translation>
    </message>
    <message>
        <source>Largest</source>
        <translation>最大</translation>
    </message>
    <message>
        <source>Mean</source>
        <translation>平均</translation>
    </message>
    <message>
        <source>Compiled value</source>
        <translation>编译所得的值</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>input</source>
        <translation>输入</translation>
    </message>
    <message>
        <source>stored</source>
        <translation>已存</translation>
    </message>
    <message>
        <source>computed</source>
        <translation>推算</translation>
    </message>
    <message>
        <source>not there</source>
        <translation>不存在</translation>
    </message>
    <message>
        <source>More than rounding explains: without cancellation at most %1.</source>
        <translation>超出舍入所能解释的范围：若无相消，至多 %1。</translation>
    </message>
    <message>
        <source>Within %1, which rounding alone may make.</source>
        <translation>在 %1 之内，舍入本身即可造成。</translation>
    </message>
    <message>
        <source>The first value that rounding does not explain.</source>
        <translation>第一个舍入无法解释的值。</translation>
    </message>
    <message>
        <source>“%1” (%2) of the %3 graph is the first value that rounding does not explain: its error is %4.</source>
        <translation>%3 图中的“%1”（%2）是第一个舍入无法解释的值：其误差为 %4。</translation>
    </message>
    <message numerus="yes">
        <source>%n value(s) hold elements that are not finite.</source>
        <translation>
            <numerusform>有 %n 个值含有非有限的元素。</numerusform>
        </translation>
    </message>
    <message>
        <source>Eager mode&apos;s values are missing: %1.</source>
        <translation>缺少 eager 模式的值：%1。</translation>
    </message>
    <message>
        <source>Eager absolute</source>
        <translation>eager 绝对误差</translation>
    </message>
    <message>
        <source>stored: read from the memory that a kernel wrote; computed: fusion keeps it in registers, so it is computed from what is stored by the reference of its operation, on the graph after the passes; in half precision a kernel may keep more digits than that</source>
        <translation>已存：读自内核写入的内存；推算：融合使它只存在于寄存器中，因此由已存的值按算子的参考实现，在各 Pass 之后的图上算出；半精度下内核可能保留比这更多的位数</translation>
    </message>
    <message>
        <source>Rounding explains it: on the way numbers cancel, a branch hangs on one that is nearly equal, or they overflow.</source>
        <translation>舍入足以解释：途中有数相消，有分支取决于几乎相等的数，或有溢出。</translation>
    </message>
    <message>
        <source>%1, first %2</source>
        <translation>%1，第一个 %2</translation>
    </message>
    <message>
        <source>The first: %1.</source>
        <translation>第一个：%1。</translation>
    </message>
    <message>
        <source>No error is larger than rounding explains.</source>
        <translation>没有误差超出舍入所能解释的范围。</translation>
    </message>
    <message>
        <source>%1 values, %2 as kernels stored them; largest finite error %3, eager&apos;s %4.</source>
        <translation>%1 个值，其中 %2 个取自内核所存；最大有限误差 %3，eager 为 %4。</translation>
    </message>
</context>
<context>
    <name>OpKind</name>
    <message>
        <source>input</source>
        <translation>输入</translation>
    </message>
    <message>
        <source>constant</source>
        <translation>常量</translation>
    </message>
    <message>
        <source>pointwise</source>
        <translation>逐元素</translation>
    </message>
    <message>
        <source>reduction</source>
        <translation>归约</translation>
    </message>
    <message>
        <source>product</source>
        <translation>矩阵乘</translation>
    </message>
    <message>
        <source>view</source>
        <translation>视图</translation>
    </message>
    <message>
        <source>norm, loss</source>
        <translation>归一化、损失</translation>
    </message>
    <message>
        <source>random</source>
        <translation>随机</translation>
    </message>
    <message>
        <source>index, copy</source>
        <translation>索引、复制</translation>
    </message>
</context>
<context>
    <name>Overview</name>
    <message numerus="yes">
        <source>%1 operation(s)</source>
        <translation>
            <numerusform>%1 个算子</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 input(s)</source>
        <translation>
            <numerusform>%1 个输入</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 tensor(s)</source>
        <translation>
            <numerusform>%1 个张量</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 value(s) computed again</source>
        <translation>
            <numerusform>%1 个值重计算</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 kernel(s)</source>
        <translation>
            <numerusform>%1 个内核</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 read and written</source>
        <translation>读写 %1</translation>
    </message>
    <message>
        <source>compiled</source>
        <translation>已编译</translation>
    </message>
    <message>
        <source>What became of it</source>
        <translation>编译结果</translation>
    </message>
    <message>
        <source>Joint</source>
        <translation>联合</translation>
    </message>
    <message>
        <source>Captured</source>
        <translation>捕获</translation>
    </message>
    <message>
        <source>Graph: %1</source>
        <translation>图：%1</translation>
    </message>
    <message>
        <source>Saved</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>Partition</source>
        <translation>切分</translation>
    </message>
    <message>
        <source>Kernels</source>
        <translation>内核</translation>
    </message>
    <message>
        <source>Backward</source>
        <translation>反向</translation>
    </message>
    <message>
        <source>Forward</source>
        <translation>前向</translation>
    </message>
    <message>
        <source>Capture</source>
        <translation>捕获</translation>
    </message>
    <message>
        <source>Kernels that move most</source>
        <translation>访存最多的内核</translation>
    </message>
    <message>
        <source>Largest of what is kept</source>
        <translation>保存的最大张量</translation>
    </message>
    <message>
        <source>Arena</source>
        <translation>内存池</translation>
    </message>
    <message>
        <source>Guards</source>
        <translation>守卫</translation>
    </message>
    <message>
        <source>compiled in part</source>
        <translation>已部分编译</translation>
    </message>
</context>
<context>
    <name>Panes</name>
    <message>
        <source>Source</source>
        <translation>源码</translation>
    </message>
    <message>
        <source>The script. Editing it compiles it again.</source>
        <translation>脚本。编辑后会重新编译。</translation>
    </message>
    <message>
        <source>Inspector</source>
        <translation>检查器</translation>
    </message>
    <message>
        <source>Everything that is known of what is selected.</source>
        <translation>选中对象的全部已知信息。</translation>
    </message>
    <message>
        <source>Messages</source>
        <translation>消息</translation>
    </message>
    <message>
        <source>Errors, warnings and notes with their places.</source>
        <translation>错误、警告和提示及其位置。</translation>
    </message>
    <message>
        <source>Capture</source>
        <translation>捕获</translation>
    </message>
    <message>
        <source>Guards, graph breaks and the transformed code.</source>
        <translation>守卫、图中断和变换后的代码。</translation>
    </message>
    <message>
        <source>Tours</source>
        <translation>导览</translation>
    </message>
    <message>
        <source>Steps that lead through the window, with things to try.</source>
        <translation>带您逐步了解窗口，并动手尝试。</translation>
    </message>
    <message>
        <source>Graph</source>
        <translation>图</translation>
    </message>
    <message>
        <source>Any stage of the graph, drawn.</source>
        <translation>任一阶段的图。</translation>
    </message>
    <message>
        <source>Partition</source>
        <translation>切分</translation>
    </message>
    <message>
        <source>The joint graph with the cut, and what crosses it.</source>
        <translation>联合图、割，以及穿过割的值。</translation>
    </message>
    <message>
        <source>Passes</source>
        <translation>Pass</translation>
    </message>
    <message>
        <source>Every pass in order, with what it changed.</source>
        <translation>按顺序列出每个 Pass 及其改动。</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>比较</translation>
    </message>
    <message>
        <source>Any two stages or passes as text, and records side by side.</source>
        <translation>以文本比较任意两个阶段或 Pass，并排比较记录。</translation>
    </message>
    <message>
        <source>Code</source>
        <translation>代码</translation>
    </message>
    <message>
        <source>The generated text of each kernel, down to the machine.</source>
        <translation>每个内核生成的代码，直到机器码。</translation>
    </message>
    <message>
        <source>Kernels</source>
        <translation>内核</translation>
    </message>
    <message>
        <source>Kernels, their buffers and loops, and why they were fused.</source>
        <translation>内核、缓冲区和循环，以及为何融合。</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>Eager against compiled: time, memory and error.</source>
        <translation>eager 与编译后的对比：时间、内存和误差。</translation>
    </message>
    <message>
        <source>What if</source>
        <translation>假如</translation>
    </message>
    <message>
        <source>What was decided instead of the compiler, and what it changed.</source>
        <translation>哪些由人代替编译器决定，以及带来的变化。</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>Where intermediate buffers lie, and for how long.</source>
        <translation>中间缓冲区放在哪里、存活多久。</translation>
    </message>
    <message>
        <source>Times</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>What follows what in a call and in the compilation, and how near the kernels come to what the machine can do.</source>
        <translation>一次调用和一次编译中各步的先后，以及内核离机器极限还有多远。</translation>
    </message>
    <message>
        <source>Output</source>
        <translation>输出</translation>
    </message>
    <message>
        <source>What the script prints.</source>
        <translation>脚本打印的内容。</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>逐步</translation>
    </message>
    <message>
        <source>A kernel, the cut and the arena, moment by moment.</source>
        <translation>内核、割和内存池，一步一步地看。</translation>
    </message>
    <message>
        <source>Numbers</source>
        <translation>数值</translation>
    </message>
    <message>
        <source>Every value beside eager mode and double precision, and which is the first that parts from them.</source>
        <translation>每个值与 eager 模式及双精度并列，并指出第一个偏离之处。</translation>
    </message>
</context>
<context>
    <name>RecordView</name>
    <message>
        <source>line %1</source>
        <translation>第 %1 行</translation>
    </message>
    <message>
        <source>code line %1</source>
        <translation>代码第 %1 行</translation>
    </message>
    <message>
        <source>, entry %1</source>
        <translation>，条目 %1</translation>
    </message>
    <message>
        <source>, call %1</source>
        <translation>，第 %1 次调用</translation>
    </message>
    <message>
        <source> · backward</source>
        <translation> · 反向</translation>
    </message>
    <message>
        <source> · training</source>
        <translation> · 训练</translation>
    </message>
    <message>
        <source> · line %1</source>
        <translation> · 第 %1 行</translation>
    </message>
    <message>
        <source>%1, %2 line %3</source>
        <translation>%1，%2 第 %3 行</translation>
    </message>
</context>
<context>
    <name>Remarks</name>
    <message numerus="yes">
        <source>%1 bytes in %n place(s) (%2)</source>
        <translation>
            <numerusform>%n 处共 %1 字节（%2）</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Roofline</name>
    <message>
        <source>%1: %2, %3/s and %4, %5 operations a byte</source>
        <translation>%1：%2，%3/s，%4，每字节 %5 次运算</translation>
    </message>
    <message>
        <source>%1 % of what the memory allows</source>
        <translation>内存所允许的 %1 %</translation>
    </message>
    <message>
        <source>%1 % of what the arithmetic allows</source>
        <translation>算术所允许的 %1 %</translation>
    </message>
    <message>
        <source>eager, a whole call</source>
        <translation>eager，整个调用</translation>
    </message>
    <message>
        <source>compiled, a whole call</source>
        <translation>编译后，整个调用</translation>
    </message>
</context>
<context>
    <name>RowQuery</name>
    <message>
        <source>Words, columns and expressions: relu  kind:library  traffic&gt;1M  -kind:loops  /^mm_\d+$/</source>
        <translation>词、列与表达式：relu  kind:library  traffic&gt;1M  -kind:loops  /^mm_\d+$/</translation>
    </message>
</context>
<context>
    <name>Rows</name>
    <message>
        <source>Saved tensor</source>
        <translation>保存的张量</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>Bytes</source>
        <translation>字节数</translation>
    </message>
    <message>
        <source>kept from the forward to the backward call</source>
        <translation>从前向调用保留到反向调用</translation>
    </message>
    <message>
        <source>Why it is saved</source>
        <translation>保存的原因</translation>
    </message>
    <message>
        <source>an input of the forward graph: kept alive, not copied</source>
        <translation>前向图的输入：只延长存活，不复制</translation>
    </message>
    <message>
        <source>Recomputed value</source>
        <translation>重计算的值</translation>
    </message>
    <message>
        <source>Operation</source>
        <translation>算子</translation>
    </message>
    <message>
        <source>Saves</source>
        <translation>节省</translation>
    </message>
    <message>
        <source>bytes that saving it would cost</source>
        <translation>保存它所需的字节数</translation>
    </message>
    <message>
        <source>Why it is recomputed</source>
        <translation>重计算的原因</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>类别</translation>
    </message>
    <message>
        <source>Traffic</source>
        <translation>访存量</translation>
    </message>
    <message>
        <source>bytes read and written</source>
        <translation>读写的字节数</translation>
    </message>
    <message>
        <source>Work</source>
        <translation>计算量</translation>
    </message>
    <message>
        <source>floating-point operations</source>
        <translation>浮点运算次数</translation>
    </message>
    <message>
        <source>registers</source>
        <translation>寄存器</translation>
    </message>
    <message>
        <source>never written to memory: lives inside the kernel</source>
        <translation>从不写入内存：只存在于内核之中</translation>
    </message>
    <message>
        <source>reads %1, writes %2</source>
        <translation>读取 %1，写入 %2</translation>
    </message>
    <message numerus="yes">
        <source>%1 kernel(s)</source>
        <translation>
            <numerusform>%1 个内核</numerusform>
        </translation>
    </message>
    <message>
        <source>Pair</source>
        <translation>内核对</translation>
    </message>
    <message>
        <source>Decision</source>
        <translation>决定</translation>
    </message>
    <message>
        <source>Why</source>
        <translation>原因</translation>
    </message>
    <message>
        <source>fused</source>
        <translation>融合</translation>
    </message>
    <message>
        <source>apart</source>
        <translation>分开</translation>
    </message>
    <message>
        <source>Pass</source>
        <translation>Pass</translation>
    </message>
    <message>
        <source>Changes</source>
        <translation>改动</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>Severity</source>
        <translation>级别</translation>
    </message>
    <message>
        <source>Message</source>
        <translation>消息</translation>
    </message>
    <message>
        <source>Where</source>
        <translation>位置</translation>
    </message>
    <message>
        <source>line %1</source>
        <translation>第 %1 行</translation>
    </message>
    <message>
        <source>error</source>
        <translation>错误</translation>
    </message>
    <message>
        <source>warning</source>
        <translation>警告</translation>
    </message>
    <message>
        <source>note</source>
        <translation>说明</translation>
    </message>
    <message>
        <source>hint</source>
        <translation>提示</translation>
    </message>
    <message>
        <source>Guard</source>
        <translation>守卫</translation>
    </message>
    <message>
        <source>Condition</source>
        <translation>条件</translation>
    </message>
    <message>
        <source> and %1 not predicted</source>
        <translation>，另有 %1 个没有预测</translation>
    </message>
    <message>
        <source>as the compiler decides</source>
        <translation>由编译器决定</translation>
    </message>
    <message>
        <source>Decided</source>
        <translation>人工决定</translation>
    </message>
    <message>
        <source>a double click or Enter compares it with what is shown</source>
        <translation>双击或按 Enter 将其与当前显示的内容比较</translation>
    </message>
    <message>
        <source>a double click or Enter goes back to it</source>
        <translation>双击或按 Enter 可回到该状态</translation>
    </message>
    <message>
        <source>Saved</source>
        <translation>已保存</translation>
    </message>
    <message>
        <source>Kernels</source>
        <translation>内核</translation>
    </message>
    <message>
        <source>bytes read and written by kernels</source>
        <translation>内核读写的字节数</translation>
    </message>
    <message>
        <source>Arena</source>
        <translation>内存池</translation>
    </message>
    <message>
        <source>memory for what lies between kernels</source>
        <translation>存放内核之间数据的内存</translation>
    </message>
    <message>
        <source>Predicted</source>
        <translation>预测</translation>
    </message>
    <message>
        <source>Measured</source>
        <translation>实测</translation>
    </message>
    <message>
        <source>median of one call</source>
        <translation>单次调用的中位数</translation>
    </message>
    <message>
        <source>Against the compiler&apos;s own</source>
        <translation>与编译器自己的决定相比</translation>
    </message>
    <message>
        <source>rank test of single calls</source>
        <translation>对单次调用做秩检验</translation>
    </message>
    <message>
        <source>not yet</source>
        <translation>尚无</translation>
    </message>
    <message>
        <source>F5 measures</source>
        <translation>按 F5 测量</translation>
    </message>
    <message>
        <source>Record</source>
        <translation>记录</translation>
    </message>
    <message>
        <source>Against what is shown</source>
        <translation>与当前显示相比</translation>
    </message>
    <message>
        <source>Nodes</source>
        <translation>节点</translation>
    </message>
    <message>
        <source>Everything is as the compiler decides. Select a value in Partition, or a pair in Kernels, and decide otherwise: what it changes stands here at once.</source>
        <translation>一切由编译器决定。在“切分”中选一个值，或在“内核”中选一对内核，改变决定：带来的变化会立即显示在这里。</translation>
    </message>
    <message>
        <source>Decided: %1.</source>
        <translation>人工决定：%1。</translation>
    </message>
    <message>
        <source>%1 %2, as before</source>
        <translation>%1 %2，不变</translation>
    </message>
    <message>
        <source>%1 %2 → %3</source>
        <translation>%1 %2 → %3</translation>
    </message>
    <message>
        <source>saved</source>
        <translation>已保存</translation>
    </message>
    <message>
        <source>kernels</source>
        <translation>内核</translation>
    </message>
    <message>
        <source>traffic</source>
        <translation>访存量</translation>
    </message>
    <message>
        <source>Backend</source>
        <translation>后端</translation>
    </message>
    <message>
        <source>median of one call; forward and backward when training</source>
        <translation>单次调用的中位数；训练时包括前向和反向</translation>
    </message>
    <message>
        <source>Spread</source>
        <translation>离散度</translation>
    </message>
    <message>
        <source>half the distance between the quartiles of the calls</source>
        <translation>各次调用四分位距的一半</translation>
    </message>
    <message>
        <source>Speed-up</source>
        <translation>加速比</translation>
    </message>
    <message>
        <source>against eager</source>
        <translation>相对于 eager</translation>
    </message>
    <message>
        <source>Against eager</source>
        <translation>相对 eager</translation>
    </message>
    <message>
        <source>whether single calls differ by more than chance</source>
        <translation>各次调用的差异是否超出偶然</translation>
    </message>
    <message>
        <source>Error</source>
        <translation>误差</translation>
    </message>
    <message>
        <source>largest relative error against double precision</source>
        <translation>相对双精度的最大相对误差</translation>
    </message>
    <message>
        <source>kernels launched in one call</source>
        <translation>一次调用中启动的内核数</translation>
    </message>
    <message>
        <source>bytes read and written by kernels in one call</source>
        <translation>一次调用中内核读写的字节数</translation>
    </message>
    <message>
        <source>Peak</source>
        <translation>峰值</translation>
    </message>
    <message>
        <source>peak memory</source>
        <translation>内存峰值</translation>
    </message>
    <message>
        <source>Compile</source>
        <translation>编译</translation>
    </message>
    <message>
        <source>time to compile, once</source>
        <translation>编译用时，仅一次</translation>
    </message>
    <message>
        <source>what the numbers are of</source>
        <translation>这些数字的测量对象</translation>
    </message>
    <message>
        <source>all in compiled graphs</source>
        <translation>全部在编译后的图中</translation>
    </message>
    <message>
        <source>%1 in compiled graphs, %2 one by one outside of them</source>
        <translation>编译后的图中 %1，图外逐个执行 %2</translation>
    </message>
    <message>
        <source>best %1 in %2 runs, %3 threads</source>
        <translation>%2 次运行中最快 %1，%3 个线程</translation>
    </message>
    <message>
        <source>; the line at the foot spans four of five calls: %1 to %2</source>
        <translation>；底部的横线覆盖五分之四的调用：%1 到 %2</translation>
    </message>
    <message>
        <source>half of the calls took %1 to %2</source>
        <translation>半数调用用时 %1 到 %2</translation>
    </message>
    <message>
        <source>rank test of single calls; differences below 2 % count as none</source>
        <translation>对单次调用做秩检验；小于 2 % 的差异不计</translation>
    </message>
    <message>
        <source>Against the first</source>
        <translation>相对第一项</translation>
    </message>
    <message>
        <source>the measurement that the others are compared with is chosen with a double click or Enter</source>
        <translation>双击或按 Enter 选择用作比较基准的测量</translation>
    </message>
    <message>
        <source>the baseline</source>
        <translation>基准</translation>
    </message>
    <message>
        <source>Kernel</source>
        <translation>内核</translation>
    </message>
    <message>
        <source>Share</source>
        <translation>占比</translation>
    </message>
    <message>
        <source>of the time of the whole call</source>
        <translation>占整个调用时间的比例</translation>
    </message>
    <message>
        <source>Bandwidth</source>
        <translation>带宽</translation>
    </message>
    <message>
        <source>launch and the rest</source>
        <translation>启动及其余</translation>
    </message>
    <message>
        <source>what the call takes beside its kernels: checks, launches, allocation</source>
        <translation>调用中内核以外的用时：检查、启动、分配</translation>
    </message>
    <message>
        <source>timed one by one</source>
        <translation>逐个计时</translation>
    </message>
    <message>
        <source>timing a kernel by itself takes time, too, and each finds less in the caches: together they take that much less</source>
        <translation>单独给内核计时本身也耗时，且缓存命中更少：合在一起时要快这么多</translation>
    </message>
    <message>
        <source>one call</source>
        <translation>一次调用</translation>
    </message>
    <message>
        <source>median of one call: the sum of the rows above</source>
        <translation>单次调用的中位数：以上各行之和</translation>
    </message>
    <message>
        <source>Compared</source>
        <translation>比较对象</translation>
    </message>
    <message>
        <source>Verdict</source>
        <translation>结论</translation>
    </message>
    <message>
        <source>Compiled</source>
        <translation>编译后</translation>
    </message>
    <message>
        <source>largest relative error of the compiled result</source>
        <translation>编译结果的最大相对误差</translation>
    </message>
    <message>
        <source>Eager</source>
        <translation>Eager</translation>
    </message>
    <message>
        <source>largest relative error of the eager result</source>
        <translation>eager 结果的最大相对误差</translation>
    </message>
    <message>
        <source>Limit</source>
        <translation>限值</translation>
    </message>
    <message>
        <source>passed</source>
        <translation>通过</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>未通过</translation>
    </message>
    <message>
        <source>time of the kernels of all functions by the cost model, without launches</source>
        <translation>所有函数的内核时间，由代价模型给出，不含启动开销</translation>
    </message>
    <message>
        <source>Kernels took</source>
        <translation>内核实测</translation>
    </message>
    <message>
        <source>time of the same kernels, each timed by itself</source>
        <translation>同样这些内核的时间，各自单独计时</translation>
    </message>
    <message>
        <source>Call took</source>
        <translation>调用实测</translation>
    </message>
    <message>
        <source>measured: median of one call, with launches and all that is no kernel</source>
        <translation>实测：一次调用的中位数，包括启动和内核之外的一切</translation>
    </message>
    <message>
        <source>bytes that the backwards keep, inputs included</source>
        <translation>各反向图所保留的字节，包括输入</translation>
    </message>
    <message>
        <source>The budget is for saved and live values: the arena of the kernels has grown, %1 → %2.</source>
        <translation>预算只针对保存的值和存活的值：内核的内存池变大了，%1 → %2。</translation>
    </message>
    <message>
        <source>Kernels by themselves, predicted: %1 → %2</source>
        <translation>仅内核，预测：%1 → %2</translation>
    </message>
    <message>
        <source>; measured: %1 → %2</source>
        <translation>；实测：%1 → %2</translation>
    </message>
    <message>
        <source>Whole calls: not measured yet.</source>
        <translation>整次调用：尚未测量。</translation>
    </message>
    <message>
        <source>A whole call, measured: %1; the compiler&apos;s own was not measured.</source>
        <translation>整次调用，实测：%1；编译器自己的方案尚未测量。</translation>
    </message>
    <message>
        <source>A whole call, measured: %1 → %2</source>
        <translation>整次调用，实测：%1 → %2</translation>
    </message>
    <message>
        <source>All numbers are sums over the %1 compiled parts of the script.</source>
        <translation>所有数字都是脚本中 %1 个已编译部分的总和。</translation>
    </message>
    <message>
        <source>instructions</source>
        <translation>指令</translation>
    </message>
    <message>
        <source>cycles</source>
        <translation>周期</translation>
    </message>
    <message>
        <source>cache misses</source>
        <translation>缓存未命中</translation>
    </message>
    <message>
        <source>branch misses</source>
        <translation>分支预测失误</translation>
    </message>
    <message>
        <source>page faults</source>
        <translation>缺页</translation>
    </message>
    <message>
        <source>context switches</source>
        <translation>上下文切换</translation>
    </message>
    <message>
        <source>Counted</source>
        <translation>计数项</translation>
    </message>
    <message>
        <source>on the host, over all threads</source>
        <translation>在主机上，所有线程合计</translation>
    </message>
    <message>
        <source>A call</source>
        <translation>每次调用</translation>
    </message>
    <message>
        <source>the mean of ten calls</source>
        <translation>十次调用的平均值</translation>
    </message>
    <message>
        <source>Beside eager</source>
        <translation>与 eager 相比</translation>
    </message>
    <message>
        <source>instructions, cycles, misses: %1</source>
        <translation>指令、周期、未命中：%1</translation>
    </message>
    <message>
        <source>Shared</source>
        <translation>共享</translation>
    </message>
    <message>
        <source>bytes of the values that the two share, for this pair alone: one value stands in each of its pairs. Keep the two apart, and What if tells what the whole moves</source>
        <translation>两者共享的值的字节数，仅就这一对而言：同一个值会出现在它的每一对中。将两者分开，“假如”会说明整体搬运多少</translation>
    </message>
    <message>
        <source>of each graph of the function that is shown</source>
        <translation>所显示函数的每个图</translation>
    </message>
    <message>
        <source>Nothing is compiled yet: what is decided instead of the compiler, and what that changes, will stand here.</source>
        <translation>尚未编译：代替编译器所作的决定及其带来的变化将显示在这里。</translation>
    </message>
    <message>
        <source>disturbed: not to be trusted</source>
        <translation>受干扰：不可信</translation>
    </message>
    <message>
        <source>what all of these read and write, those outside of compiled graphs included: the sum that makes a loss of the outputs is one</source>
        <translation>所有这些内核的读写量，包括编译图之外的：由输出求损失的求和就是其中之一</translation>
    </message>
    <message>
        <source>of the samples of a call, all threads</source>
        <translation>占一次调用的采样（所有线程）</translation>
    </message>
    <message>
        <source>Line</source>
        <translation>行</translation>
    </message>
    <message numerus="yes">
        <source> and %n more</source>
        <translation>
            <numerusform>及另外 %n 个</numerusform>
        </translation>
    </message>
    <message>
        <source>no line of it</source>
        <translation>不属于其任何一行</translation>
    </message>
    <message>
        <source>libraries, and the program itself</source>
        <translation>库以及程序自身</translation>
    </message>
    <message>
        <source>leads nowhere: it was measured of something else than what is shown</source>
        <translation>不指向任何处：它测量的不是当前所显示的内容</translation>
    </message>
    <message>
        <source>leads nowhere: what is shown has no kernel of this name</source>
        <translation>不指向任何处：当前所显示的内容没有这个名称的内核</translation>
    </message>
    <message>
        <source>what it is compared with was disturbed</source>
        <translation>与之比较的测量受到了干扰</translation>
    </message>
    <message>
        <source>not measured</source>
        <translation>未测量</translation>
    </message>
    <message>
        <source>a double click or Enter goes back to it, and F5 measures it then</source>
        <translation>双击或按 Enter 回到它，再按 F5 测量</translation>
    </message>
    <message>
        <source>%1, %2 → %3: predicted %4 → %5, %6</source>
        <translation>%1，%2 → %3：预测 %4 → %5，%6</translation>
    </message>
    <message>
        <source>measured %1 → %2</source>
        <translation>实测 %1 → %2</translation>
    </message>
    <message>
        <source>not measured yet</source>
        <translation>尚未测量</translation>
    </message>
    <message>
        <source>Kernels, predicted: %1 without a budget, %2 with this one</source>
        <translation>内核预测时间：无预算时 %1，采用此预算时 %2</translation>
    </message>
    <message>
        <source>; not both measured.</source>
        <translation>；两者尚未都测量。</translation>
    </message>
    <message>
        <source>; a call, measured: %1 and %2</source>
        <translation>；一次调用实测：%1 和 %2</translation>
    </message>
    <message>
        <source>Left out</source>
        <translation>已去掉</translation>
    </message>
    <message>
        <source>It was left out</source>
        <translation>它被去掉了</translation>
    </message>
    <message>
        <source>disturbed</source>
        <translation>受干扰</translation>
    </message>
    <message>
        <source>Instructions</source>
        <translation>指令数</translation>
    </message>
    <message>
        <source>of one call, over all threads, as the processor counts them</source>
        <translation>一次调用、所有线程合计，由处理器计数</translation>
    </message>
    <message>
        <source>Per cycle</source>
        <translation>每周期</translation>
    </message>
    <message>
        <source>instructions that each cycle of a processor completes</source>
        <translation>处理器每个周期完成的指令数</translation>
    </message>
    <message>
        <source>Cache misses</source>
        <translation>缓存未命中</translation>
    </message>
    <message>
        <source>accesses to memory that no cache of the processor answers</source>
        <translation>处理器的任何缓存都未能满足的内存访问</translation>
    </message>
    <message>
        <source>Branch misses</source>
        <translation>分支预测错误</translation>
    </message>
    <message>
        <source>branches that the processor predicted wrongly</source>
        <translation>处理器预测错误的分支</translation>
    </message>
    <message>
        <source>Page faults</source>
        <translation>缺页</translation>
    </message>
    <message>
        <source>pages of memory that are touched for the first time</source>
        <translation>首次触及的内存页</translation>
    </message>
</context>
<context>
    <name>SideBySide</name>
    <message>
        <source>other programs had the processors while it was measured: %1</source>
        <translation>测量期间其他程序占用了处理器：%1</translation>
    </message>
    <message>
        <source>Not measured, and not drawn: %1.</source>
        <translation>未测量，因此没有画出：%1。</translation>
    </message>
    <message>
        <source>F5 measures what is shown; “Keep this” takes it up with its times.</source>
        <translation>按 F5 测量当前显示的内容；“保留此结果”会把它连同时间一起收入。</translation>
    </message>
</context>
<context>
    <name>Significance</name>
    <message>
        <source>p &lt; 0.001</source>
        <translation>p &lt; 0.001</translation>
    </message>
    <message>
        <source>p = %1</source>
        <translation>p = %1</translation>
    </message>
    <message>
        <source>faster, %1</source>
        <translation>更快，%1</translation>
    </message>
    <message>
        <source>slower, %1</source>
        <translation>更慢，%1</translation>
    </message>
    <message>
        <source>no difference, %1</source>
        <translation>无差异，%1</translation>
    </message>
    <message>
        <source>not to be trusted: others used the machine</source>
        <translation>不可信：其他程序占用了机器</translation>
    </message>
    <message>
        <source>other programs had the processors all the while: measure again when nothing else runs</source>
        <translation>处理器一直被其他程序占用：请在没有其他程序运行时重新测量</translation>
    </message>
    <message>
        <source>half of the calls took more than twice as long as the fastest tenth: measure again when nothing else runs</source>
        <translation>半数调用的耗时超过最快的十分之一的两倍：请在没有其他程序运行时重新测量</translation>
    </message>
    <message>
        <source>other programs had the processors while the kernels were timed one by one: measure again when nothing else runs</source>
        <translation>逐个计时内核期间其他程序占用了处理器：请在没有其他程序运行时重新测量</translation>
    </message>
    <message>
        <source>%1, disturbed</source>
        <translation>%1，受干扰</translation>
    </message>
</context>
<context>
    <name>StageCells</name>
    <message numerus="yes">
        <source>%1 guard(s)</source>
        <translation>
            <numerusform>%1 个守卫</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 of %2 changed</source>
        <translation>%2 个中改动了 %1 个</translation>
    </message>
    <message>
        <source>%1 saved</source>
        <translation>保存 %1 个</translation>
    </message>
    <message numerus="yes">
        <source>%1 buffer(s)</source>
        <translation>
            <numerusform>%1 个缓冲区</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 kernel(s)</source>
        <translation>
            <numerusform>%1 个内核</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 line(s)</source>
        <translation>
            <numerusform>%1 行</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 node(s)</source>
        <translation>
            <numerusform>%1 个节点</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Stories</name>
    <message numerus="yes">
        <source>%1 and %n more</source>
        <translation>
            <numerusform>%1 等另外 %n 项</numerusform>
        </translation>
    </message>
    <message>
        <source>reads %1</source>
        <translation>读取 %1</translation>
    </message>
    <message>
        <source>writes %1</source>
        <translation>写入 %1</translation>
    </message>
    <message>
        <source>adds up in %1</source>
        <translation>累加到 %1</translation>
    </message>
    <message>
        <source>touches no memory: the value stays in a register</source>
        <translation>不访问内存：值留在寄存器中</translation>
    </message>
    <message>
        <source>Once: %1.</source>
        <translation>一次：%1。</translation>
    </message>
    <message>
        <source>%1: %2.</source>
        <translation>%1：%2。</translation>
    </message>
    <message>
        <source>Iterations shown of each loop: %1.</source>
        <translation>每个循环显示的迭代：%1。</translation>
    </message>
    <message>
        <source>Path %1 of %2: %3. It pays %4, and the price of “%5” is used up. Paid until now: %6.</source>
        <translation>第 %1 条路径，共 %2 条：%3。它付出 %4，“%5”的价格就此用尽。至今付出：%6。</translation>
    </message>
    <message numerus="yes">
        <source>No path is left. The backward&apos;s side grows against what has room left, by %1: %n value(s) until now.</source>
        <translation>
            <numerusform>没有剩余的路径了。反向一侧沿仍有余量的边扩大，新增 %1：至今 %n 个值。</numerusform>
        </translation>
    </message>
    <message>
        <source>The cut: nothing need be saved.</source>
        <translation>割：什么都不必保存。</translation>
    </message>
    <message>
        <source>The cut: %1 saved, for a price of %2. No cut costs less, because the paths have paid just as much.</source>
        <translation>割：保存 %1，价格 %2。没有更便宜的割，因为各条路径付出的正好同样多。</translation>
    </message>
    <message>
        <source>Kernel %1 of %2, %3: nothing of the arena is in use.</source>
        <translation>第 %1 个内核，共 %2 个，%3：内存池没有被占用。</translation>
    </message>
    <message>
        <source>Kernel %1 of %2, %3: %4 of %5 in use.</source>
        <translation>第 %1 个内核，共 %2 个，%3：占用 %5 中的 %4。</translation>
    </message>
    <message>
        <source>Comes: %1.</source>
        <translation>开始占用：%1。</translation>
    </message>
    <message>
        <source>Goes afterwards: %1.</source>
        <translation>此后释放：%1。</translation>
    </message>
    <message>
        <source>This is the peak.</source>
        <translation>这是峰值。</translation>
    </message>
    <message>
        <source>%1: %2 of %3</source>
        <translation>%1：%3 次中的 %2 次</translation>
    </message>
    <message>
        <source>thread %1</source>
        <translation>线程 %1</translation>
    </message>
    <message>
        <source>block %1</source>
        <translation>线程块 %1</translation>
    </message>
    <message>
        <source>block %1, thread %2</source>
        <translation>线程块 %1，线程 %2</translation>
    </message>
    <message>
        <source>Drawn: %1 of %2 blocks, with %3 of %4 threads each.</source>
        <translation>所画：%2 个线程块中的 %1 个，每块 %4 个线程中的 %3 个。</translation>
    </message>
    <message>
        <source>Drawn: %1 of %2 threads of a block.</source>
        <translation>所画：线程块的 %2 个线程中的 %1 个。</translation>
    </message>
    <message>
        <source>Drawn: %1 of %2 threads.</source>
        <translation>所画：%2 个线程中的 %1 个。</translation>
    </message>
    <message numerus="yes">
        <source>%n thread(s) at once.</source>
        <translation>
            <numerusform>%n 个线程同时。</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Sweep</name>
    <message>
        <source>threads, each with %1</source>
        <translation>线程数，其余相同：%1</translation>
    </message>
    <message>
        <source>size, each with %1</source>
        <translation>规模，其余相同：%1</translation>
    </message>
</context>
<context>
    <name>TextQuery</name>
    <message>
        <source>“%1”: %2</source>
        <translation>“%1”：%2</translation>
    </message>
    <message>
        <source>“%1” is no number: 1000, 64k, 1.5M, 1e-6</source>
        <translation>“%1”不是数字：1000、64k、1.5M、1e-6</translation>
    </message>
</context>
<context>
    <name>Theme</name>
    <message>
        <source>&amp;Light</source>
        <translation>浅色(&amp;L)</translation>
    </message>
    <message>
        <source>&amp;Dark</source>
        <translation>深色(&amp;D)</translation>
    </message>
    <message>
        <source>Light, for &amp;colour blindness</source>
        <translation>浅色，适合色觉障碍(&amp;C)</translation>
    </message>
    <message>
        <source>Dark, for c&amp;olour blindness</source>
        <translation>深色，适合色觉障碍(&amp;O)</translation>
    </message>
    <message>
        <source>Light, &amp;high contrast</source>
        <translation>浅色，高对比度(&amp;H)</translation>
    </message>
    <message>
        <source>Dark, h&amp;igh contrast</source>
        <translation>深色，高对比度(&amp;I)</translation>
    </message>
</context>
<context>
    <name>Timeline</name>
    <message>
        <source>thread %1</source>
        <translation>线程 %1</translation>
    </message>
    <message>
        <source>the rest</source>
        <translation>其余</translation>
    </message>
    <message>
        <source>launch and the rest</source>
        <translation>启动及其余</translation>
    </message>
    <message>
        <source>Kernels in their order, each timed by itself; what a call takes beside them is drawn behind the last.</source>
        <translation>按顺序排列的内核，各自单独计时；调用在内核之外的用时画在最后。</translation>
    </message>
    <message>
        <source>Kernels in their order, each timed by itself: together they take longer than a call of all of them.</source>
        <translation>按顺序排列的内核，各自单独计时：合计比整个调用更长。</translation>
    </message>
    <message>
        <source>stages</source>
        <translation>阶段</translation>
    </message>
    <message>
        <source>passes</source>
        <translation>Pass</translation>
    </message>
    <message>
        <source>the call</source>
        <translation>调用</translation>
    </message>
    <message>
        <source>graph</source>
        <translation>图</translation>
    </message>
    <message>
        <source>script</source>
        <translation>脚本</translation>
    </message>
    <message>
        <source>kernel</source>
        <translation>内核</translation>
    </message>
    <message>
        <source>no line is known</source>
        <translation>不知道是哪一行</translation>
    </message>
    <message>
        <source>Widths are times of kernels, each timed by itself; a kernel of several lines stands below all of them.</source>
        <translation>宽度是各内核单独计时的时间；属于多行的内核位于所有这些行之下。</translation>
    </message>
    <message>
        <source>Stages in their order, each as long as it took; passes stand at the start of their stage.</source>
        <translation>各阶段按顺序排列，长度即所用时间；各遍位于其阶段的开头。</translation>
    </message>
    <message>
        <source>Where a thread&apos;s lane is empty it waits for the others, or it has no part in that kernel.</source>
        <translation>线程的泳道为空处，表示它在等待其他线程，或不参与该内核。</translation>
    </message>
    <message>
        <source>Where a thread&apos;s lane is empty it waits for the others or for a processor, or it has no part in that kernel.</source>
        <translation>线程的泳道为空处，表示它在等待其他线程或处理器，或不参与该内核。</translation>
    </message>
    <message numerus="yes">
        <source>Of %n kernel(s) it is not known which threads compute them: below these every thread&apos;s lane is empty.</source>
        <translation>
            <numerusform>有 %n 个内核不知道由哪些线程计算：它们下方所有线程的泳道都是空的。</numerusform>
        </translation>
    </message>
    <message>
        <source>%1, stream</source>
        <translation>%1，流</translation>
    </message>
</context>
<context>
    <name>TourFile</name>
    <message>
        <source>“%1” is missing</source>
        <translation>缺少“%1”</translation>
    </message>
    <message>
        <source>“%1” is no text</source>
        <translation>“%1”不是文本</translation>
    </message>
    <message>
        <source>“%1” is no object</source>
        <translation>“%1”不是对象</translation>
    </message>
    <message>
        <source>nobody knows “%1”</source>
        <translation>无法识别“%1”</translation>
    </message>
    <message>
        <source>a step is an object</source>
        <translation>每一步必须是一个对象</translation>
    </message>
    <message>
        <source>a tour is an object</source>
        <translation>导览必须是一个对象</translation>
    </message>
    <message>
        <source>“steps” is no list of steps</source>
        <translation>“steps”不是步骤列表</translation>
    </message>
    <message>
        <source>%1, step %2</source>
        <translation>%1，第 %2 步</translation>
    </message>
</context>
<context>
    <name>TraceFile</name>
    <message>
        <source>%1 is no JSON: wrong at byte %2 (a compressed trace is unpacked first)</source>
        <translation>%1 不是 JSON：第 %2 字节处有误（压缩的跟踪须先解压）</translation>
    </message>
    <message>
        <source>%1 holds no slices: expected Chrome&apos;s trace events</source>
        <translation>%1 不含时间片：应为 Chrome 的跟踪事件</translation>
    </message>
</context>
<context>
    <name>WorkspaceFile</name>
    <message>
        <source>this workspace was saved by a newer program</source>
        <translation>这个工作区是由更新版本的程序保存的</translation>
    </message>
</context>
<context>
    <name>cutaway::views::Banner</name>
    <message>
        <source>Only the first</source>
        <translation>只看第一条</translation>
    </message>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>另有 %n 条</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>cutaway::views::BudgetBar</name>
    <message>
        <source>Leave it to the compiler</source>
        <translation>由编译器决定</translation>
    </message>
    <message>
        <source>Memory of a training step</source>
        <translation>一个训练步的内存</translation>
    </message>
    <message>
        <source>Choose how much memory a training step may take: it compiles again, and What if tells what it changes</source>
        <translation>选择一个训练步可以用多少内存：会重新编译，“假如”面板显示带来的变化</translation>
    </message>
    <message>
        <source>Memory to the right, time upwards, as estimated. Click to choose. A cross is a measured call, on a scale of its own: it takes launches and all functions into account.</source>
        <translation>向右为内存，向上为时间，均为估计值。点击即可选择。叉号是一次实测调用，使用单独的刻度：它包括启动开销和所有函数。</translation>
    </message>
    <message>
        <source>Of %1 alone, one of %2 parts:</source>
        <translation>仅针对 %1（共 %2 个部分之一）：</translation>
    </message>
    <message>
        <source>Peak %1, saved %2, as now.</source>
        <translation>峰值 %1，保存 %2，与现在相同。</translation>
    </message>
    <message>
        <source>Peak %1 (now %2), saved %3 (now %4).</source>
        <translation>峰值 %1（现为 %2），保存 %3（现为 %4）。</translation>
    </message>
    <message>
        <source>Peak: of saved and live values in a training step; saved: without inputs.</source>
        <translation>峰值：一个训练步中保存的值和活跃值；保存：不含输入。</translation>
    </message>
    <message>
        <source>The compiler leaves it: without a budget it cuts as PyTorch does, by what saving costs, not by this estimate.</source>
        <translation>编译器不取此点：没有预算时它按 PyTorch 的方式切分，依据保存的代价，而不是这个估计。</translation>
    </message>
    <message>
        <source>The budget does not need it.</source>
        <translation>预算不需要它。</translation>
    </message>
    <message>
        <source>All of this function alone, estimated before there are kernels: what is decided of these changes nothing here. The arena that kernels share, and what they are predicted to take, stand in What if.</source>
        <translation>仅针对这个函数，在生成内核之前估计：对内核的决定不影响这里。内核共用的内存池及其预测时间见“假如”面板。</translation>
    </message>
    <message>
        <source>Estimated before fusion: as fast as now.</source>
        <translation>融合前估计：与现在一样快。</translation>
    </message>
    <message>
        <source>Estimated before fusion: %1 slower than now.</source>
        <translation>融合前估计：比现在慢 %1。</translation>
    </message>
    <message>
        <source>Estimated before fusion: %1 faster than now.</source>
        <translation>融合前估计：比现在快 %1。</translation>
    </message>
</context>
<context>
    <name>cutaway::views::CapturePane</name>
    <message>
        <source>Transformed code</source>
        <translation>变换后的代码</translation>
    </message>
    <message>
        <source>This entry has no guards.</source>
        <translation>此条目没有守卫。</translation>
    </message>
    <message>
        <source>Compiled parts</source>
        <translation>编译的各部分</translation>
    </message>
    <message>
        <source>No function was compiled.</source>
        <translation>没有编译任何函数。</translation>
    </message>
    <message>
        <source>Guards</source>
        <translation>守卫</translation>
    </message>
</context>
<context>
    <name>cutaway::views::CodePane</name>
    <message>
        <source>Generated code</source>
        <translation>生成的代码</translation>
    </message>
    <message>
        <source>Kernel</source>
        <translation>内核</translation>
    </message>
    <message>
        <source>Kernel whose text is shown</source>
        <translation>要显示代码的内核</translation>
    </message>
    <message>
        <source>Show the compiler&apos;s remarks in the text</source>
        <translation>在代码中显示编译器的备注</translation>
    </message>
    <message>
        <source>All</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>With constants, directives and names as the assembler reads them</source>
        <translation>包括汇编器读到的常量、伪指令和名称</translation>
    </message>
    <message>
        <source>Show the prelude that the text starts with</source>
        <translation>显示代码开头的序言</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>语言</translation>
    </message>
    <message>
        <source>This graph has no kernel.</source>
        <translation>此图没有内核。</translation>
    </message>
    <message>
        <source>%1 is done by a library (%2), so there is no generated text. The Kernels pane tells what it reads and writes.</source>
        <translation>%1 由库（%2）完成，因此没有生成的代码。“内核”面板说明它读写什么。</translation>
    </message>
    <message>
        <source>This kernel was generated for %1 only.</source>
        <translation>此内核只为 %1 生成。</translation>
    </message>
    <message>
        <source>The saved record does not hold this text.</source>
        <translation>保存的记录中没有这份代码。</translation>
    </message>
    <message>
        <source>The engine is not running, so this text cannot be made.</source>
        <translation>引擎没有运行，因此无法生成这份代码。</translation>
    </message>
    <message>
        <source>Asking the engine…</source>
        <translation>正在向引擎请求…</translation>
    </message>
    <message>
        <source>There is no such text for this kernel.</source>
        <translation>此内核没有这样的代码。</translation>
    </message>
    <message>
        <source>C++</source>
        <translation>C++</translation>
    </message>
    <message>
        <source>the text that is compiled for the CPU</source>
        <translation>为 CPU 编译的代码</translation>
    </message>
    <message>
        <source>LLVM IR</source>
        <translation>LLVM IR</translation>
    </message>
    <message>
        <source>after optimisation</source>
        <translation>优化之后</translation>
    </message>
    <message>
        <source>Assembly</source>
        <translation>汇编</translation>
    </message>
    <message>
        <source>the machine code, disassembled</source>
        <translation>反汇编得到的机器码</translation>
    </message>
    <message>
        <source>CUDA</source>
        <translation>CUDA</translation>
    </message>
    <message>
        <source>the text that is compiled for the GPU</source>
        <translation>为 GPU 编译的代码</translation>
    </message>
    <message>
        <source>PTX</source>
        <translation>PTX</translation>
    </message>
    <message>
        <source>the GPU&apos;s intermediate code</source>
        <translation>GPU 的中间代码</translation>
    </message>
    <message>
        <source>SASS</source>
        <translation>SASS</translation>
    </message>
    <message>
        <source>the GPU&apos;s machine code, by the toolkit&apos;s disassembler</source>
        <translation>GPU 的机器码，由工具包的反汇编器给出</translation>
    </message>
    <message numerus="yes">
        <source>// prelude, %n line(s): the button { } shows it</source>
        <translation>
            <numerusform>// 序言，%n 行：按钮 { } 可将其显示</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 % of the samples of a call, over all threads</source>
        <translation>占一次调用采样的 %1 %（所有线程合计）</translation>
    </message>
    <message>
        <source>The compiler has no remarks on this text.</source>
        <translation>编译器对这段代码没有备注。</translation>
    </message>
</context>
<context>
    <name>cutaway::views::CommandPalette</name>
    <message>
        <source>Nothing found</source>
        <translation>没有找到</translation>
    </message>
</context>
<context>
    <name>cutaway::views::CompareDialog</name>
    <message>
        <source>Compare %1</source>
        <translation>比较 %1</translation>
    </message>
    <message numerus="yes">
        <source>%1 line(s)</source>
        <translation>
            <numerusform>%1 行</numerusform>
        </translation>
    </message>
    <message>
        <source>− only in the file on disk: %1;  + only here: %2</source>
        <translation>− 仅在磁盘文件中：%1；  + 仅在此处：%2</translation>
    </message>
    <message>
        <source>Differences</source>
        <translation>差异</translation>
    </message>
</context>
<context>
    <name>cutaway::views::ComparePane</name>
    <message>
        <source>Keep this</source>
        <translation>保留此结果</translation>
    </message>
    <message>
        <source>Add…</source>
        <translation>添加…</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>Left</source>
        <translation>左</translation>
    </message>
    <message>
        <source>Right</source>
        <translation>右</translation>
    </message>
    <message>
        <source>%1 record</source>
        <translation>%1 记录</translation>
    </message>
    <message>
        <source>%1 text</source>
        <translation>%1 文本</translation>
    </message>
    <message>
        <source>Differences</source>
        <translation>差异</translation>
    </message>
    <message>
        <source>Add a record</source>
        <translation>添加记录</translation>
    </message>
    <message>
        <source>shown now</source>
        <translation>当前显示</translation>
    </message>
    <message>
        <source>Choose another stage on one side, or keep this result and change the script.</source>
        <translation>请在一侧选择另一个阶段，或保留此结果后修改脚本。</translation>
    </message>
    <message>
        <source>Nothing to compare yet.</source>
        <translation>还没有可比较的内容。</translation>
    </message>
    <message>
        <source>Both graphs as one</source>
        <translation>合为一张的两个图</translation>
    </message>
    <message>
        <source>Both</source>
        <translation>两者</translation>
    </message>
    <message>
        <source>What either side holds: + only right, − only left, ~ rewritten</source>
        <translation>任一侧所含：+ 仅右侧，− 仅左侧，~ 被改写</translation>
    </message>
    <message>
        <source>The left graph, where its nodes stand in both</source>
        <translation>左图，节点位于合图中的原处</translation>
    </message>
    <message>
        <source>The right graph, where its nodes stand in both</source>
        <translation>右图，节点位于合图中的原处</translation>
    </message>
    <message>
        <source>Text</source>
        <translation>文本</translation>
    </message>
    <message>
        <source>On the graph</source>
        <translation>在图上</translation>
    </message>
    <message>
        <source>Placing the nodes…</source>
        <translation>正在布置节点…</translation>
    </message>
    <message>
        <source>Neither graph holds a node.</source>
        <translation>两个图都没有节点。</translation>
    </message>
    <message>
        <source>Loops, kernels and code are no graphs: choose a graph, or one after a pass, on both sides.</source>
        <translation>循环、内核和代码不是图：请在两侧选择一个图，或某个 pass 之后的图。</translation>
    </message>
    <message>
        <source>Nodes: +%1  −%2  ~%3  =%4</source>
        <translation>节点：+%1  −%2  ~%3  =%4</translation>
    </message>
    <message>
        <source>only right, only left, rewritten, the same</source>
        <translation>仅右侧、仅左侧、被改写、相同</translation>
    </message>
    <message>
        <source>Asking the engine…</source>
        <translation>正在询问引擎…</translation>
    </message>
    <message>
        <source>Take the chosen record off this list</source>
        <translation>从列表中移除所选记录</translation>
    </message>
    <message>
        <source>Nothing was taken up here yet</source>
        <translation>这里还没有保留任何结果</translation>
    </message>
    <message>
        <source>What is shown now stays: choose another row</source>
        <translation>当前显示的内容会保留：请选择另一行</translation>
    </message>
    <message>
        <source>only right</source>
        <translation>仅右侧</translation>
    </message>
    <message>
        <source>only left</source>
        <translation>仅左侧</translation>
    </message>
    <message>
        <source>rewritten</source>
        <translation>已改写</translation>
    </message>
    <message>
        <source>the same</source>
        <translation>相同</translation>
    </message>
    <message>
        <source>Graphs</source>
        <translation>各图</translation>
    </message>
    <message>
        <source>The graph that is chosen on the right, of every record beside each other; a node lights in all of them</source>
        <translation>右侧所选的图，每个记录各画一份并排显示；一个节点在所有图中同时亮起</translation>
    </message>
    <message>
        <source>Calls of all records</source>
        <translation>所有记录的调用</translation>
    </message>
    <message>
        <source>No record has times of kernels yet: F5 measures what is shown, “Keep this” takes it up with them.</source>
        <translation>还没有记录带有内核时间：按 F5 测量当前显示的内容，“保留此结果”会把它连同时间一起收入。</translation>
    </message>
    <message>
        <source>Calls</source>
        <translation>各次调用</translation>
    </message>
    <message>
        <source>The measured calls of all records on one axis; a kernel lights with those that compute the same</source>
        <translation>所有记录测得的调用画在同一条时间轴上；一个内核与计算相同内容的内核一起亮起</translation>
    </message>
    <message numerus="yes">
        <source>%n more record(s) not drawn</source>
        <translation>
            <numerusform>还有 %n 个记录没有画出</numerusform>
        </translation>
    </message>
    <message>
        <source>Open beside what is shown a saved record, or the graph of an ONNX model, of what torch.export saved, or as PyTorch prints it</source>
        <translation>在当前显示的内容旁打开一个保存的记录，或 ONNX 模型的图、torch.export 保存的图，或 PyTorch 打印出的图</translation>
    </message>
    <message>
        <source>The same text on both sides</source>
        <translation>两侧为同一文本</translation>
    </message>
    <message>
        <source>Of one record each side is chosen by itself</source>
        <translation>同一条记录的两侧各自选择</translation>
    </message>
    <message>
        <source>One of the records has no text of this name</source>
        <translation>其中一条记录没有此名称的文本</translation>
    </message>
    <message>
        <source>Of two records, what is chosen on one side is chosen on the other, too</source>
        <translation>比较两条记录时，一侧所选的内容在另一侧也同时选中</translation>
    </message>
    <message>
        <source>Disturbed: %1.</source>
        <translation>受干扰：%1。</translation>
    </message>
    <message>
        <source>No record has times of kernels, and a saved one is not measured again.</source>
        <translation>没有记录带有内核时间，而已保存的记录不会重新测量。</translation>
    </message>
    <message>
        <source>Nothing is compiled that could be taken up</source>
        <translation>没有可以收入的编译结果</translation>
    </message>
    <message>
        <source>Save as…</source>
        <translation>另存为…</translation>
    </message>
    <message>
        <source>What “Keep this” took up lasts until the window closes; “Save as…” writes the chosen record to a file.</source>
        <translation>“保留此结果”放入的内容保留到窗口关闭为止；“另存为…”把所选记录写入文件。</translation>
    </message>
    <message>
        <source>Write the chosen record to a file, which “Add…” opens</source>
        <translation>把所选记录写入文件，之后可用“添加…”打开</translation>
    </message>
    <message>
        <source>Choose a record that was taken up here</source>
        <translation>请选择一条已放入此处的记录</translation>
    </message>
    <message>
        <source>Save record</source>
        <translation>保存记录</translation>
    </message>
    <message>
        <source>Records (*.cutaway)</source>
        <translation>记录 (*.cutaway)</translation>
    </message>
    <message>
        <source>Take this result up here, to compare what comes after with it, until the window closes</source>
        <translation>把此结果放到上面，以便与之后的结果比较，保留到窗口关闭为止</translation>
    </message>
    <message numerus="yes">
        <source>All %n stage(s) of both records are the same.</source>
        <translation>
            <numerusform>两个记录的全部 %n 个阶段都相同。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 of %n stage(s) differ:</source>
        <translation>
            <numerusform>%n 个阶段中有 %1 个不同：</numerusform>
        </translation>
    </message>
    <message>
        <source>%1: the same text twice</source>
        <translation>%1：两边是同一文本</translation>
    </message>
    <message>
        <source>%1: no difference</source>
        <translation>%1：没有差别</translation>
    </message>
    <message>
        <source>%1, lines: −%2  +%3</source>
        <translation>%1，行：−%2  +%3</translation>
    </message>
    <message>
        <source>Records, models, scripts and printed graphs (*.cutaway *.onnx *.pt2 *.py *.txt);;All files (*)</source>
        <translation>记录、模型、脚本和打印的图 (*.cutaway *.onnx *.pt2 *.py *.txt);;所有文件 (*)</translation>
    </message>
    <message>
        <source>Compiling %1…</source>
        <translation>正在编译 %1…</translation>
    </message>
    <message>
        <source>%1 compiles nothing</source>
        <translation>%1 没有编译任何内容</translation>
    </message>
    <message>
        <source>%1 does not compile: %2</source>
        <translation>%1 无法编译：%2</translation>
    </message>
</context>
<context>
    <name>cutaway::views::CurveChart</name>
    <message>
        <source>Times over sizes or threads</source>
        <translation>时间随规模或线程数的变化</translation>
    </message>
</context>
<context>
    <name>cutaway::views::DecisionBar</name>
    <message>
        <source>A saved record is not compiled again.</source>
        <translation>保存的记录不会重新编译。</translation>
    </message>
    <message>
        <source>Now: %1</source>
        <translation>当前：%1</translation>
    </message>
    <message>
        <source>Decide instead of the compiler: it compiles again, and What if tells what it changes</source>
        <translation>代替编译器决定：会重新编译，“假如”面板显示带来的变化</translation>
    </message>
</context>
<context>
    <name>cutaway::views::EngineClient</name>
    <message>
        <source>no engine command is set</source>
        <translation>没有设置引擎命令</translation>
    </message>
    <message>
        <source>could not start the engine “%1”: %2</source>
        <translation>无法启动引擎“%1”：%2</translation>
    </message>
    <message>
        <source>the engine did not start properly: %1</source>
        <translation>引擎没有正常启动：%1</translation>
    </message>
    <message>
        <source>the engine was stopped</source>
        <translation>引擎已停止</translation>
    </message>
    <message>
        <source>the engine crashed</source>
        <translation>引擎崩溃了</translation>
    </message>
    <message>
        <source>the engine ended with exit code %1</source>
        <translation>引擎结束，退出码 %1</translation>
    </message>
    <message>
        <source>the engine is not running</source>
        <translation>引擎没有运行</translation>
    </message>
    <message>
        <source>no reply in time</source>
        <translation>没有及时答复</translation>
    </message>
    <message>
        <source>the engine sent %1</source>
        <translation>引擎发来了 %1</translation>
    </message>
    <message>
        <source>the engine sent a message that is not JSON</source>
        <translation>引擎发来的消息不是 JSON</translation>
    </message>
    <message>
        <source>the engine refused a message: %1</source>
        <translation>引擎拒绝了一条消息：%1</translation>
    </message>
    <message>
        <source>the engine sent a malformed reply</source>
        <translation>引擎发来了格式错误的答复</translation>
    </message>
    <message>
        <source>the engine is still at work that was cancelled</source>
        <translation>引擎仍在处理已取消的工作</translation>
    </message>
    <message>
        <source>the engine did not end work that was cancelled and was ended itself</source>
        <translation>引擎没有结束已取消的工作，因此它自身被终止</translation>
    </message>
    <message>
        <source>cancelled</source>
        <translation>已取消</translation>
    </message>
</context>
<context>
    <name>cutaway::views::FindBar</name>
    <message>
        <source>Aa</source>
        <translation>Aa</translation>
    </message>
    <message>
        <source>.*</source>
        <translation>.*</translation>
    </message>
    <message>
        <source>Find</source>
        <translation>查找</translation>
    </message>
    <message>
        <source>Replace by</source>
        <translation>替换为</translation>
    </message>
    <message>
        <source>Tell small and capital letters apart</source>
        <translation>区分大小写</translation>
    </message>
    <message>
        <source>A regular expression; \1 in what replaces it is its first group</source>
        <translation>正则表达式；替换文本中的 \1 是它的第一个分组</translation>
    </message>
    <message>
        <source>↑</source>
        <translation>↑</translation>
    </message>
    <message>
        <source>Find the one before (Shift+Enter)</source>
        <translation>查找上一个（Shift+Enter）</translation>
    </message>
    <message>
        <source>↓</source>
        <translation>↓</translation>
    </message>
    <message>
        <source>Find the next (Enter)</source>
        <translation>查找下一个（Enter）</translation>
    </message>
    <message>
        <source>×</source>
        <translation>×</translation>
    </message>
    <message>
        <source>Close (Esc)</source>
        <translation>关闭（Esc）</translation>
    </message>
    <message>
        <source>Replace</source>
        <translation>替换</translation>
    </message>
    <message>
        <source>All</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>Replace all of them</source>
        <translation>全部替换</translation>
    </message>
    <message>
        <source>no valid expression</source>
        <translation>表达式无效</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>%1 found</source>
        <translation>找到 %1 个</translation>
    </message>
    <message>
        <source>%1 replaced</source>
        <translation>已替换 %1 处</translation>
    </message>
</context>
<context>
    <name>cutaway::views::GlossaryDialog</name>
    <message>
        <source>Glossary</source>
        <translation>术语表</translation>
    </message>
    <message>
        <source>Find a word</source>
        <translation>查找术语</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>显示</translation>
    </message>
    <message>
        <source>No word like that.</source>
        <translation>没有这样的术语。</translation>
    </message>
</context>
<context>
    <name>cutaway::views::GraphCanvas</name>
    <message>
        <source>reads %1</source>
        <translation>读取 %1</translation>
    </message>
    <message>
        <source>read by %1</source>
        <translation>被 %1 读取</translation>
    </message>
    <message>
        <source>Graph</source>
        <translation>图</translation>
    </message>
    <message>
        <source>Drawing the graph…</source>
        <translation>正在绘制图…</translation>
    </message>
</context>
<context>
    <name>cutaway::views::GraphPane</name>
    <message>
        <source>Find a node</source>
        <translation>查找节点</translation>
    </message>
    <message>
        <source>%1 found</source>
        <translation>找到 %1 个</translation>
    </message>
    <message>
        <source>Show the %1 graph</source>
        <translation>显示 %1 图</translation>
    </message>
    <message>
        <source>This entry has no graph.</source>
        <translation>此条目没有图。</translation>
    </message>
    <message>
        <source>Placing the nodes…</source>
        <translation>正在排布节点…</translation>
    </message>
    <message>
        <source>Colour</source>
        <translation>颜色</translation>
    </message>
    <message>
        <source>What the colours of the nodes tell</source>
        <translation>节点颜色表示什么</translation>
    </message>
    <message>
        <source>Boxes</source>
        <translation>方框</translation>
    </message>
    <message>
        <source>What is drawn as one box; a double click opens it</source>
        <translation>哪些画成一个方框；双击可展开</translation>
    </message>
    <message>
        <source>Modules in boxes</source>
        <translation>按模块成框</translation>
    </message>
    <message>
        <source>Repeats in boxes</source>
        <translation>按重复成框</translation>
    </message>
    <message>
        <source>Every node</source>
        <translation>逐个节点</translation>
    </message>
    <message>
        <source>Types</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>Zoom out (−)</source>
        <translation>缩小（−）</translation>
    </message>
    <message>
        <source>Zoom in (+)</source>
        <translation>放大（+）</translation>
    </message>
    <message>
        <source>Fit the whole graph (Space)</source>
        <translation>显示整个图（空格）</translation>
    </message>
    <message numerus="yes">
        <source>%1 node(s)</source>
        <translation>
            <numerusform>%1 个节点</numerusform>
        </translation>
    </message>
    <message>
        <source>, drawn as %1</source>
        <translation>，画成 %1 个</translation>
    </message>
    <message numerus="yes">
        <source>%1 edge(s)</source>
        <translation>
            <numerusform>%1 条边</numerusform>
        </translation>
    </message>
    <message>
        <source>&amp;Open the box</source>
        <translation>展开方框(&amp;O)</translation>
    </message>
    <message>
        <source>Select its &amp;arguments (%1)</source>
        <translation>选中它的参数（%1）(&amp;A)</translation>
    </message>
    <message>
        <source>Select its &amp;users (%1)</source>
        <translation>选中它的使用者（%1）(&amp;U)</translation>
    </message>
    <message>
        <source>Select every “%1” (%2)</source>
        <translation>选中所有“%1”（%2）</translation>
    </message>
    <message>
        <source>Select all of module “%1” (%2)</source>
        <translation>选中模块“%1”的全部（%2）</translation>
    </message>
    <message>
        <source>&amp;Copy as text</source>
        <translation>复制为文本(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Zoom to it</source>
        <translation>缩放到此处(&amp;Z)</translation>
    </message>
    <message>
        <source>Close the box “%1”</source>
        <translation>收起方框“%1”</translation>
    </message>
    <message>
        <source>Boxes as at f&amp;irst</source>
        <translation>恢复最初的方框(&amp;I)</translation>
    </message>
    <message>
        <source>&amp;Fit the whole graph</source>
        <translation>显示整个图(&amp;F)</translation>
    </message>
    <message>
        <source>C&amp;lear the selection</source>
        <translation>清除选择(&amp;L)</translation>
    </message>
    <message>
        <source>Write shape, dtype, bytes and (where it is not contiguous) stride along the edges</source>
        <translation>沿边写出形状、dtype、字节数，以及（不连续时）步幅</translation>
    </message>
    <message>
        <source>Linear</source>
        <translation>线性</translation>
    </message>
    <message>
        <source>Colours by equal steps of the quantity, not of its logarithm</source>
        <translation>按数量本身而非其对数等分着色</translation>
    </message>
    <message>
        <source>Numbers of nodes</source>
        <translation>节点的数值</translation>
    </message>
    <message>
        <source>Lines of node,value, or a JSON object (*.csv *.json);;All files (*)</source>
        <translation>每行“节点,数值”，或 JSON 对象 (*.csv *.json);;所有文件 (*)</translation>
    </message>
    <message>
        <source>%1 in %2</source>
        <translation>%2 中有 %1 个</translation>
    </message>
    <message>
        <source>none here; %1</source>
        <translation>此处没有；%1</translation>
    </message>
    <message>
        <source>compared with %1: F6 compares again</source>
        <translation>比较时为 %1：按 F6 重新比较</translation>
    </message>
    <message>
        <source>measured with %1: F5 measures again</source>
        <translation>测量时为 %1：按 F5 重新测量</translation>
    </message>
    <message>
        <source>this record holds no measurement of what is shown</source>
        <translation>此记录不含当前显示内容的测量</translation>
    </message>
    <message>
        <source>Other graphs</source>
        <translation>其他图</translation>
    </message>
    <message>
        <source>&amp;Dtype</source>
        <translation>数据类型(&amp;D)</translation>
    </message>
    <message>
        <source>&amp;Shape</source>
        <translation>形状(&amp;S)</translation>
    </message>
    <message>
        <source>S&amp;tride</source>
        <translation>步幅(&amp;T)</translation>
    </message>
    <message>
        <source>&amp;Bytes</source>
        <translation>字节数(&amp;B)</translation>
    </message>
    <message>
        <source>%1 is too large to hold numbers of nodes</source>
        <translation>%1 太大，不会是节点的数值</translation>
    </message>
    <message>
        <source>Copy a &amp;link to it</source>
        <translation>复制指向它的链接(&amp;L)</translation>
    </message>
</context>
<context>
    <name>cutaway::views::GraphsBeside</name>
    <message>
        <source>the same graph</source>
        <translation>图相同</translation>
    </message>
    <message>
        <source>This graph holds no node.</source>
        <translation>此图没有节点。</translation>
    </message>
    <message>
        <source>This record has no such graph: loops, kernels and code are texts.</source>
        <translation>此记录没有这样的图：循环、内核和代码都是文本。</translation>
    </message>
    <message>
        <source>against “%1”</source>
        <translation>与“%1”相比</translation>
    </message>
</context>
<context>
    <name>cutaway::views::HistogramView</name>
    <message>
        <source>How often values occur</source>
        <translation>数值分布</translation>
    </message>
    <message numerus="yes">
        <source>%1 value(s) from %2 to %3</source>
        <translation>
            <numerusform>%2 至 %3 之间有 %1 个值</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>cutaway::views::InputsDialog</name>
    <message>
        <source>Inputs</source>
        <translation>输入</translation>
    </message>
    <message>
        <source>What the model is called with: in measurements, in what is compiled, and where values are compared. Numbers are drawn as torch.manual_seed(seed) on the CPU would have them.</source>
        <translation>模型以何调用：用于测量、编译以及数值比较。随机数与 CPU 上 torch.manual_seed(seed) 之后所得相同。</translation>
    </message>
    <message>
        <source>Take these</source>
        <translation>采用这些</translation>
    </message>
    <message>
        <source>All as the script says</source>
        <translation>全部按脚本</translation>
    </message>
    <message>
        <source>argument %1</source>
        <translation>参数 %1</translation>
    </message>
    <message>
        <source>as the script says</source>
        <translation>按脚本</translation>
    </message>
    <message>
        <source>normal</source>
        <translation>正态分布</translation>
    </message>
    <message>
        <source>uniform</source>
        <translation>均匀分布</translation>
    </message>
    <message>
        <source>whole numbers</source>
        <translation>整数</translation>
    </message>
    <message>
        <source>zeros</source>
        <translation>全零</translation>
    </message>
    <message>
        <source>ones</source>
        <translation>全一</translation>
    </message>
    <message>
        <source>.npy file</source>
        <translation>.npy 文件</translation>
    </message>
    <message>
        <source>Values of %1</source>
        <translation>%1 的值</translation>
    </message>
    <message>
        <source>seed </source>
        <translation>种子 </translation>
    </message>
    <message>
        <source>Seed of %1</source>
        <translation>%1 的种子</translation>
    </message>
    <message>
        <source>An array</source>
        <translation>数组</translation>
    </message>
    <message>
        <source>Arrays (*.npy)</source>
        <translation>数组 (*.npy)</translation>
    </message>
    <message>
        <source>mean </source>
        <translation>均值 </translation>
    </message>
    <message>
        <source>from </source>
        <translation>从 </translation>
    </message>
    <message>
        <source>deviation </source>
        <translation>标准差 </translation>
    </message>
    <message>
        <source>to below </source>
        <translation>至小于 </translation>
    </message>
    <message>
        <source>Choose…</source>
        <translation>选择…</translation>
    </message>
</context>
<context>
    <name>cutaway::views::InspectorPane</name>
    <message>
        <source>What is selected</source>
        <translation>选中了什么</translation>
    </message>
    <message>
        <source>Click anything: a line, a node, a kernel, a line of code. All that is known of it stands here.</source>
        <translation>单击任何东西：一行脚本、一个节点、一个内核、一行代码。它的全部信息会显示在这里。</translation>
    </message>
</context>
<context>
    <name>cutaway::views::ItemView</name>
    <message>
        <source>&amp;Copy rows</source>
        <translation>复制这些行(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Select all</source>
        <translation>全选(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Original order</source>
        <translation>恢复原来的顺序(&amp;O)</translation>
    </message>
    <message>
        <source>Filter rows</source>
        <translation>筛选行</translation>
    </message>
    <message>
        <source>Level</source>
        <translation>层级</translation>
    </message>
    <message>
        <source>Save table</source>
        <translation>保存表格</translation>
    </message>
    <message>
        <source>Tables (*.csv)</source>
        <translation>表格 (*.csv)</translation>
    </message>
    <message>
        <source>&amp;Filter rows…</source>
        <translation>筛选行(&amp;F)…</translation>
    </message>
    <message>
        <source>&amp;Save table as CSV…</source>
        <translation>将表格存为 CSV(&amp;S)…</translation>
    </message>
    <message>
        <source>No row holds what is asked for.</source>
        <translation>没有符合条件的行。</translation>
    </message>
</context>
<context>
    <name>cutaway::views::KernelStage</name>
    <message>
        <source>Kernel over the first elements</source>
        <translation>内核在前几个元素上</translation>
    </message>
    <message>
        <source>(places that only values tell)</source>
        <translation>（位置由数据决定）</translation>
    </message>
    <message>
        <source>… %1 columns in all</source>
        <translation>…共 %1 列</translation>
    </message>
    <message numerus="yes">
        <source>%n cache line(s) so far</source>
        <translation>
            <numerusform>目前 %n 条缓存行</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>cutaway::views::KernelsPane</name>
    <message>
        <source>&lt;p&gt;reads %1 (%2)&lt;br&gt;writes %3 (%4)&lt;/p&gt;</source>
        <translation>&lt;p&gt;读取 %1（%2）&lt;br&gt;写入 %3（%4）&lt;/p&gt;</translation>
    </message>
    <message>
        <source>&lt;p&gt;Considered for %1:&lt;/p&gt;</source>
        <translation>&lt;p&gt;为 %1 考虑过：&lt;/p&gt;</translation>
    </message>
    <message>
        <source>asked for</source>
        <translation>指定</translation>
    </message>
    <message>
        <source>taken</source>
        <translation>已采用</translation>
    </message>
    <message>
        <source>leave it to the compiler</source>
        <translation>由编译器决定</translation>
    </message>
    <message>
        <source>run it so</source>
        <translation>就这样运行</translation>
    </message>
    <message>
        <source>refused</source>
        <translation>已拒绝</translation>
    </message>
    <message>
        <source>Point at a row to read why.</source>
        <translation>把鼠标移到一行上可查看原因。</translation>
    </message>
    <message>
        <source>Choose a pair to decide otherwise.</source>
        <translation>选择一对以改变决定。</translation>
    </message>
    <message>
        <source>Fused or not</source>
        <translation>是否融合</translation>
    </message>
    <message>
        <source>Loops</source>
        <translation>循环</translation>
    </message>
    <message>
        <source>Schedule</source>
        <translation>调度</translation>
    </message>
    <message>
        <source>Loop IR</source>
        <translation>循环 IR</translation>
    </message>
    <message>
        <source>No two buffers share data: there was nothing to decide.</source>
        <translation>没有两个缓冲区共享数据：无需决定。</translation>
    </message>
    <message>
        <source>No kernels.</source>
        <translation>没有内核。</translation>
    </message>
    <message>
        <source>Kernels</source>
        <translation>内核</translation>
    </message>
    <message>
        <source>predicted</source>
        <translation>预测</translation>
    </message>
    <message>
        <source>measured</source>
        <translation>实测</translation>
    </message>
    <message>
        <source>Timing every schedule of every kernel…</source>
        <translation>正在为每个内核的每个调度计时…</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Time every schedule</source>
        <translation>为每个调度计时</translation>
    </message>
    <message>
        <source>Not timed: %1.</source>
        <translation>未计时：%1。</translation>
    </message>
    <message>
        <source>%1, disturbed</source>
        <translation>%1，受干扰</translation>
    </message>
    <message>
        <source>Other programs had the processors all the while: times that are disturbed are not the kernel&apos;s own. Time again when nothing else runs.</source>
        <translation>处理器一直被其他程序占用：受干扰的时间并非内核自身的耗时。请在没有其他程序运行时重新计时。</translation>
    </message>
    <message>
        <source>Not timed again: %1. The times are of before.</source>
        <translation>未重新计时：%1。所示为之前的时间。</translation>
    </message>
    <message>
        <source>The engine is not running, so this text cannot be made.</source>
        <translation>引擎没有运行，因此无法生成这份代码。</translation>
    </message>
    <message>
        <source>Asking the engine…</source>
        <translation>正在向引擎请求…</translation>
    </message>
</context>
<context>
    <name>cutaway::views::Legend</name>
    <message>
        <source>Legend</source>
        <translation>图例</translation>
    </message>
    <message>
        <source>Click a colour to put its nodes back or forth</source>
        <translation>单击一种颜色，使其节点淡出或恢复</translation>
    </message>
</context>
<context>
    <name>cutaway::views::Lesson</name>
    <message>
        <source>this is no lesson, which “Teach…” writes</source>
        <translation>这不是由“授课…”写出的课程文件</translation>
    </message>
    <message>
        <source>it is not there any more</source>
        <translation>它已不在那里</translation>
    </message>
    <message>
        <source>it cannot be read, or is no lesson any more</source>
        <translation>无法读取，或不再是课程</translation>
    </message>
</context>
<context>
    <name>cutaway::views::MainWindow</name>
    <message>
        <source>nothing was selected before</source>
        <translation>之前没有选择过</translation>
    </message>
    <message>
        <source>nothing is selected</source>
        <translation>没有选择任何东西</translation>
    </message>
    <message>
        <source>No node of the graph that is shown is selected.</source>
        <translation>所显示的图中没有选中任何节点。</translation>
    </message>
    <message>
        <source>nothing was selected after</source>
        <translation>之后没有选择过</translation>
    </message>
    <message>
        <source> and %1 more</source>
        <translation> 等 %1 项</translation>
    </message>
    <message>
        <source>No samples are installed, and the tour is about one: %1.</source>
        <translation>没有安装示例，而导览讲的是其中一个：%1。</translation>
    </message>
    <message>
        <source>untitled.py</source>
        <translation>未命名.py</translation>
    </message>
    <message>
        <source>Could not open %1</source>
        <translation>无法打开 %1</translation>
    </message>
    <message>
        <source>Unsaved edits of “%1” are kept as a draft.</source>
        <translation>“%1”的未保存修改已存为草稿。</translation>
    </message>
    <message>
        <source>Go back to them</source>
        <translation>回到这些修改</translation>
    </message>
    <message>
        <source>Discard them</source>
        <translation>丢弃</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>打开</translation>
    </message>
    <message>
        <source>The work did not stop when it was given up, so the engine was ended and started again.</source>
        <translation>放弃后工作没有停止，因此引擎已被结束并重新启动。</translation>
    </message>
    <message>
        <source> It was started again.</source>
        <translation>已重新启动。</translation>
    </message>
    <message>
        <source> What it fell over is not compiled by itself: F7 tries again.</source>
        <translation>使它出错的内容不会自动编译：按 F7 再试。</translation>
    </message>
    <message>
        <source>Save as…</source>
        <translation>另存为…</translation>
    </message>
    <message>
        <source>Not saved: %1</source>
        <translation>未保存：%1</translation>
    </message>
    <message>
        <source>Save the sample as a file of your own</source>
        <translation>把示例另存为自己的文件</translation>
    </message>
    <message>
        <source>Save as</source>
        <translation>另存为</translation>
    </message>
    <message>
        <source>Scripts (*.py);;All files (*)</source>
        <translation>脚本 (*.py);;所有文件 (*)</translation>
    </message>
    <message>
        <source>untitled</source>
        <translation>未命名</translation>
    </message>
    <message>
        <source>There is no record to save yet.</source>
        <translation>还没有可保存的记录。</translation>
    </message>
    <message>
        <source>Save record</source>
        <translation>保存记录</translation>
    </message>
    <message>
        <source>Save the last good result, of %1: not the text on the screen</source>
        <translation>保存最近一次成功的结果（%1）：不是屏幕上的文本</translation>
    </message>
    <message>
        <source>Records (*.cutaway)</source>
        <translation>记录 (*.cutaway)</translation>
    </message>
    <message>
        <source>Could not save the record: %1</source>
        <translation>无法保存记录：%1</translation>
    </message>
    <message>
        <source>Saved %1</source>
        <translation>已保存 %1</translation>
    </message>
    <message>
        <source>There is nothing to report yet.</source>
        <translation>还没有可报告的内容。</translation>
    </message>
    <message>
        <source>Export report</source>
        <translation>导出报告</translation>
    </message>
    <message>
        <source>HTML pages (*.html)</source>
        <translation>HTML 页面 (*.html)</translation>
    </message>
    <message>
        <source>Not exported: %1.</source>
        <translation>未导出：%1。</translation>
    </message>
    <message>
        <source>Take the file</source>
        <translation>采用磁盘文件</translation>
    </message>
    <message>
        <source>Keep what is here</source>
        <translation>保留此处内容</translation>
    </message>
    <message>
        <source>Close without them</source>
        <translation>不保存并关闭</translation>
    </message>
    <message>
        <source>About Cutaway</source>
        <translation>关于 Cutaway</translation>
    </message>
    <message>
        <source>&lt;h3&gt;Cutaway&lt;/h3&gt;&lt;p&gt;A visual, interactive tensor-compiler explorer.&lt;/p&gt;&lt;p&gt;Engine: %1&lt;/p&gt;&lt;p&gt;The window is free software under the GNU General Public License 3 or later; the compiler under the Apache License 2.0.&lt;/p&gt;</source>
        <translation>&lt;h3&gt;Cutaway&lt;/h3&gt;&lt;p&gt;可视化、交互式的张量编译器探索工具。&lt;/p&gt;&lt;p&gt;引擎：%1&lt;/p&gt;&lt;p&gt;窗口是自由软件，采用 GNU 通用公共许可证第 3 版或更新版本；编译器采用 Apache 许可证 2.0。&lt;/p&gt;</translation>
    </message>
    <message>
        <source>not running</source>
        <translation>未运行</translation>
    </message>
    <message>
        <source>&amp;Edit</source>
        <translation>编辑(&amp;E)</translation>
    </message>
    <message>
        <source>&amp;Undo</source>
        <translation>撤销(&amp;U)</translation>
    </message>
    <message>
        <source>&amp;Redo</source>
        <translation>重做(&amp;R)</translation>
    </message>
    <message>
        <source>R&amp;eplace in source…</source>
        <translation>在源码中替换(&amp;E)…</translation>
    </message>
    <message>
        <source>Find text in the source and replace it</source>
        <translation>在源码中查找并替换文本</translation>
    </message>
    <message>
        <source>Find &amp;next</source>
        <translation>查找下一个(&amp;N)</translation>
    </message>
    <message>
        <source>Find the text again</source>
        <translation>再次查找该文本</translation>
    </message>
    <message>
        <source>Find pre&amp;vious</source>
        <translation>查找上一个(&amp;V)</translation>
    </message>
    <message>
        <source>Find the text before</source>
        <translation>向前查找该文本</translation>
    </message>
    <message>
        <source>Find a node in the &amp;graph</source>
        <translation>在图中查找节点(&amp;G)</translation>
    </message>
    <message>
        <source>Words, fields such as op:mm bytes&gt;1M module:attn, and /expressions/</source>
        <translation>词、字段（如 op:mm bytes&gt;1M module:attn）以及 /表达式/</translation>
    </message>
    <message>
        <source>Selection &amp;back</source>
        <translation>后退到之前的选择(&amp;B)</translation>
    </message>
    <message>
        <source>What was selected before</source>
        <translation>之前选中的内容</translation>
    </message>
    <message>
        <source>Selection for&amp;ward</source>
        <translation>前进到之后的选择(&amp;W)</translation>
    </message>
    <message>
        <source>What was selected after</source>
        <translation>之后选中的内容</translation>
    </message>
    <message>
        <source>&amp;Clear selection</source>
        <translation>清除选择(&amp;C)</translation>
    </message>
    <message>
        <source>Put all lights out</source>
        <translation>熄灭所有高亮</translation>
    </message>
    <message>
        <source>Undo &amp;decision</source>
        <translation>撤销决定(&amp;D)</translation>
    </message>
    <message>
        <source>Take back what was decided last instead of the compiler</source>
        <translation>撤销最近一次代替编译器的决定</translation>
    </message>
    <message>
        <source>Redo dec&amp;ision</source>
        <translation>重做决定(&amp;I)</translation>
    </message>
    <message>
        <source>Decide so again</source>
        <translation>再次这样决定</translation>
    </message>
    <message>
        <source>&amp;Settings…</source>
        <translation>设置(&amp;S)…</translation>
    </message>
    <message>
        <source>Colours, type, and what happens at the start</source>
        <translation>颜色、字体，以及启动时的行为</translation>
    </message>
    <message>
        <source>&amp;File</source>
        <translation>文件(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;New</source>
        <translation>新建(&amp;N)</translation>
    </message>
    <message>
        <source>Start a new script</source>
        <translation>新建一个脚本</translation>
    </message>
    <message>
        <source>&amp;Open…</source>
        <translation>打开(&amp;O)…</translation>
    </message>
    <message>
        <source>Open a script or a record</source>
        <translation>打开脚本或记录</translation>
    </message>
    <message>
        <source>Open &amp;recent</source>
        <translation>最近打开(&amp;R)</translation>
    </message>
    <message>
        <source>Unsaved &amp;drafts</source>
        <translation>未保存的草稿(&amp;D)</translation>
    </message>
    <message>
        <source>Sa&amp;mples</source>
        <translation>示例(&amp;M)</translation>
    </message>
    <message>
        <source>&amp;Save</source>
        <translation>保存(&amp;S)</translation>
    </message>
    <message>
        <source>Save the script</source>
        <translation>保存脚本</translation>
    </message>
    <message>
        <source>Save &amp;as…</source>
        <translation>另存为(&amp;A)…</translation>
    </message>
    <message>
        <source>Save the script under another name</source>
        <translation>用另一个名称保存脚本</translation>
    </message>
    <message>
        <source>Save re&amp;cord…</source>
        <translation>保存记录(&amp;C)…</translation>
    </message>
    <message>
        <source>Save everything shown as a .cutaway file</source>
        <translation>把显示的全部内容存为 .cutaway 文件</translation>
    </message>
    <message>
        <source>Export re&amp;port…</source>
        <translation>导出报告(&amp;P)…</translation>
    </message>
    <message>
        <source>One HTML page with linked panes, for people without the program</source>
        <translation>一个面板互相关联的 HTML 页面，供没有本程序的人阅读</translation>
    </message>
    <message>
        <source>&amp;Export graph</source>
        <translation>导出图(&amp;E)</translation>
    </message>
    <message>
        <source>&amp;Whole graph…</source>
        <translation>整个图(&amp;W)…</translation>
    </message>
    <message>
        <source>What is &amp;shown…</source>
        <translation>当前显示的部分(&amp;S)…</translation>
    </message>
    <message>
        <source>What is se&amp;lected…</source>
        <translation>选中的部分(&amp;L)…</translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation>退出(&amp;Q)</translation>
    </message>
    <message>
        <source>Close the window; edits are kept</source>
        <translation>关闭窗口；修改会保留</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1，%2</translation>
    </message>
    <message>
        <source>Open this file</source>
        <translation>打开此文件</translation>
    </message>
    <message>
        <source>the file is gone</source>
        <translation>文件已不存在</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>视图(&amp;V)</translation>
    </message>
    <message>
        <source>&amp;Commands…</source>
        <translation>命令(&amp;C)…</translation>
    </message>
    <message>
        <source>Find and run any command</source>
        <translation>查找并执行任意命令</translation>
    </message>
    <message>
        <source>&amp;Go to…</source>
        <translation>转到(&amp;G)…</translation>
    </message>
    <message>
        <source>Find any node, buffer, kernel or line</source>
        <translation>查找任意节点、缓冲区、内核或行</translation>
    </message>
    <message>
        <source>&amp;Panes</source>
        <translation>面板(&amp;P)</translation>
    </message>
    <message>
        <source>Show %1</source>
        <translation>显示%1</translation>
    </message>
    <message>
        <source>&amp;Lock panes</source>
        <translation>锁定面板(&amp;L)</translation>
    </message>
    <message>
        <source>Locked panes cannot be moved or closed by accident</source>
        <translation>锁定后面板不会被误移或误关</translation>
    </message>
    <message>
        <source>La&amp;youts</source>
        <translation>布局(&amp;Y)</translation>
    </message>
    <message>
        <source>&amp;Restore default layout</source>
        <translation>恢复默认布局(&amp;R)</translation>
    </message>
    <message>
        <source>Put every pane where it was at first</source>
        <translation>把所有面板放回最初的位置</translation>
    </message>
    <message>
        <source>&amp;Fit graph</source>
        <translation>图适合窗口(&amp;F)</translation>
    </message>
    <message>
        <source>Show the whole graph</source>
        <translation>显示整个图</translation>
    </message>
    <message>
        <source>Graph: %1</source>
        <translation>图：%1</translation>
    </message>
    <message>
        <source>Show this stage in the graph pane</source>
        <translation>在图面板中显示此阶段</translation>
    </message>
    <message>
        <source>L&amp;arger type</source>
        <translation>放大字号(&amp;A)</translation>
    </message>
    <message>
        <source>Everything larger</source>
        <translation>一切更大</translation>
    </message>
    <message>
        <source>S&amp;maller type</source>
        <translation>缩小字号(&amp;M)</translation>
    </message>
    <message>
        <source>Everything smaller</source>
        <translation>一切更小</translation>
    </message>
    <message>
        <source>&amp;Theme</source>
        <translation>主题(&amp;T)</translation>
    </message>
    <message>
        <source>Use these colours</source>
        <translation>使用这些颜色</translation>
    </message>
    <message>
        <source>As the &amp;system</source>
        <translation>跟随系统(&amp;S)</translation>
    </message>
    <message>
        <source>S&amp;witch light and dark</source>
        <translation>切换浅色和深色(&amp;W)</translation>
    </message>
    <message>
        <source>&amp;Run</source>
        <translation>运行(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Measure</source>
        <translation>测量(&amp;M)</translation>
    </message>
    <message>
        <source>Measure eager against compiled</source>
        <translation>比较 eager 与编译后的性能</translation>
    </message>
    <message>
        <source>&amp;Compile again</source>
        <translation>重新编译(&amp;C)</translation>
    </message>
    <message>
        <source>Compile the script now</source>
        <translation>立即编译脚本</translation>
    </message>
    <message>
        <source>C&amp;ancel</source>
        <translation>取消(&amp;A)</translation>
    </message>
    <message>
        <source>Give up what the engine is doing</source>
        <translation>放弃引擎正在做的工作</translation>
    </message>
    <message>
        <source>&amp;Next pass with changes</source>
        <translation>下一个有改动的 Pass(&amp;N)</translation>
    </message>
    <message>
        <source>Step through the passes (] in the pane)</source>
        <translation>逐个查看 Pass（在面板中按 ]）</translation>
    </message>
    <message>
        <source>&amp;Previous pass with changes</source>
        <translation>上一个有改动的 Pass(&amp;P)</translation>
    </message>
    <message>
        <source>Step back through the passes</source>
        <translation>往回逐个查看 Pass</translation>
    </message>
    <message>
        <source>Start the &amp;engine again</source>
        <translation>重新启动引擎(&amp;E)</translation>
    </message>
    <message>
        <source>End the engine and start a fresh one</source>
        <translation>结束引擎并启动新的</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>帮助(&amp;H)</translation>
    </message>
    <message>
        <source>&amp;Tours…</source>
        <translation>导览(&amp;T)…</translation>
    </message>
    <message>
        <source>Be led through the window, step by step</source>
        <translation>一步一步带您了解窗口</translation>
    </message>
    <message>
        <source>Commands and &amp;keys…</source>
        <translation>命令和快捷键(&amp;K)…</translation>
    </message>
    <message>
        <source>All commands with their keys, which can be changed here</source>
        <translation>所有命令及其快捷键，可在此修改</translation>
    </message>
    <message>
        <source>&amp;About Cutaway</source>
        <translation>关于 Cutaway(&amp;A)</translation>
    </message>
    <message>
        <source>Version and licences</source>
        <translation>版本和许可证</translation>
    </message>
    <message>
        <source>Tools</source>
        <translation>工具</translation>
    </message>
    <message>
        <source>Function</source>
        <translation>函数</translation>
    </message>
    <message>
        <source>Compiled function that the panes show</source>
        <translation>各面板显示的已编译函数</translation>
    </message>
    <message>
        <source> Size</source>
        <translation> 规模</translation>
    </message>
    <message>
        <source>Size of the example inputs</source>
        <translation>示例输入的规模</translation>
    </message>
    <message>
        <source> Device</source>
        <translation> 设备</translation>
    </message>
    <message>
        <source>Device to compile for</source>
        <translation>编译的目标设备</translation>
    </message>
    <message>
        <source>not possible now</source>
        <translation>现在无法执行</translation>
    </message>
    <message>
        <source>Type a command</source>
        <translation>输入命令</translation>
    </message>
    <message>
        <source>Find anything: words, op:mm, bytes&gt;1k, in:kernels, /expression/</source>
        <translation>查找任何东西：词、op:mm、bytes&gt;1k、in:kernels、/表达式/</translation>
    </message>
    <message>
        <source>nothing is under way</source>
        <translation>没有正在进行的工作</translation>
    </message>
    <message>
        <source>nothing was decided instead of the compiler</source>
        <translation>没有代替编译器做过决定</translation>
    </message>
    <message>
        <source>Measure eager against compiled (F5)</source>
        <translation>比较 eager 与编译后的性能（F5）</translation>
    </message>
    <message>
        <source>Starting the engine…</source>
        <translation>正在启动引擎…</translation>
    </message>
    <message>
        <source>Engine stopped</source>
        <translation>引擎已停止</translation>
    </message>
    <message>
        <source>Engine gone</source>
        <translation>引擎已不在</translation>
    </message>
    <message>
        <source>No engine</source>
        <translation>没有引擎</translation>
    </message>
    <message>
        <source>Measuring; the compilation waits</source>
        <translation>正在测量；编译在等待</translation>
    </message>
    <message>
        <source>Measuring…</source>
        <translation>正在测量…</translation>
    </message>
    <message>
        <source>Compiling…</source>
        <translation>正在编译…</translation>
    </message>
    <message>
        <source>The engine ended while compiling; F7 compiles</source>
        <translation>引擎在编译时结束；按 F7 编译</translation>
    </message>
    <message>
        <source>Cancelled; F7 compiles</source>
        <translation>已取消；按 F7 编译</translation>
    </message>
    <message>
        <source>Cannot be read</source>
        <translation>无法读取</translation>
    </message>
    <message>
        <source>Does not compile</source>
        <translation>无法编译</translation>
    </message>
    <message>
        <source>Out of date</source>
        <translation>已过时</translation>
    </message>
    <message>
        <source>Ready</source>
        <translation>就绪</translation>
    </message>
    <message>
        <source>Saved record, read only</source>
        <translation>保存的记录，只读</translation>
    </message>
    <message>
        <source>Up to date</source>
        <translation>已是最新</translation>
    </message>
    <message>
        <source>Of an earlier text:
</source>
        <translation>来自较早的文本：
</translation>
    </message>
    <message>
        <source>Start the engine again</source>
        <translation>重新启动引擎</translation>
    </message>
    <message>
        <source> The last good result stays on the screen.</source>
        <translation>屏幕上保留最近一次成功的结果。</translation>
    </message>
    <message>
        <source>Another window has unsaved edits of this file.</source>
        <translation>另一个窗口中有此文件的未保存修改。</translation>
    </message>
    <message>
        <source>Unsaved edits of %1 were restored.</source>
        <translation>已恢复 %1 的未保存修改。</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>比较</translation>
    </message>
    <message>
        <source>Save it again</source>
        <translation>重新保存</translation>
    </message>
    <message>
        <source>Overwrite</source>
        <translation>覆盖</translation>
    </message>
    <message>
        <source>“%1” was changed by another program.</source>
        <translation>“%1”已被另一个程序修改。</translation>
    </message>
    <message>
        <source>Not saved: </source>
        <translation>未保存：</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>a record is not edited</source>
        <translation>记录不可编辑</translation>
    </message>
    <message>
        <source>an exported program is not edited</source>
        <translation>导出的程序不可编辑</translation>
    </message>
    <message>
        <source>no script is open</source>
        <translation>没有打开脚本</translation>
    </message>
    <message>
        <source>Device to compile for: %1</source>
        <translation>编译的目标设备：%1</translation>
    </message>
    <message>
        <source>Device to compile for. No GPU: %1</source>
        <translation>编译的目标设备。没有 GPU：%1</translation>
    </message>
    <message>
        <source>There is no graph to export yet.</source>
        <translation>还没有可导出的图。</translation>
    </message>
    <message>
        <source>As the system</source>
        <translation>跟随系统</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>语言</translation>
    </message>
    <message>
        <source>Colours</source>
        <translation>颜色</translation>
    </message>
    <message>
        <source>Light, dark, high contrast, and for colour-blind eyes.</source>
        <translation>浅色、深色、高对比度，以及适合色觉障碍的颜色。</translation>
    </message>
    <message>
        <source>Size of the type</source>
        <translation>字号</translation>
    </message>
    <message>
        <source>In points, of everything in the window.</source>
        <translation>窗口中一切文字的大小，以磅为单位。</translation>
    </message>
    <message>
        <source>Font of code</source>
        <translation>代码字体</translation>
    </message>
    <message>
        <source>What scripts, kernels and listings are written in.</source>
        <translation>显示脚本、内核和代码清单所用的字体。</translation>
    </message>
    <message>
        <source>Go on where it ended</source>
        <translation>从上次结束处继续</translation>
    </message>
    <message>
        <source>Open the last document at the start, with what was selected.</source>
        <translation>启动时打开上次的文档，并恢复选择。</translation>
    </message>
    <message>
        <source>Lock panes</source>
        <translation>锁定面板</translation>
    </message>
    <message>
        <source>Panes cannot be moved or closed by accident.</source>
        <translation>面板不会被误移或误关。</translation>
    </message>
    <message>
        <source>The language changes when the window is opened anew. The document and what is selected come back; measurements do not.</source>
        <translation>语言在窗口重新打开时改变。文档和选择会恢复，测量结果不会。</translation>
    </message>
    <message>
        <source>Open it anew</source>
        <translation>重新打开</translation>
    </message>
    <message>
        <source>Less motion</source>
        <translation>减少动态效果</translation>
    </message>
    <message>
        <source>&amp;Open a tour…</source>
        <translation>打开导览(&amp;O)…</translation>
    </message>
    <message>
        <source>Play a tour that somebody has made</source>
        <translation>播放别人制作的导览</translation>
    </message>
    <message>
        <source>&amp;Make a tour…</source>
        <translation>制作导览(&amp;M)…</translation>
    </message>
    <message>
        <source>Make steps of what the window shows</source>
        <translation>把窗口显示的内容制成步骤</translation>
    </message>
    <message>
        <source>Open a tour</source>
        <translation>打开导览</translation>
    </message>
    <message>
        <source>Tours (*.json)</source>
        <translation>导览 (*.json)</translation>
    </message>
    <message>
        <source>This is no tour: %1.</source>
        <translation>这不是导览：%1。</translation>
    </message>
    <message>
        <source>Open a script first: a tour is made of what the window shows.</source>
        <translation>请先打开一个脚本：导览由窗口显示的内容制成。</translation>
    </message>
    <message>
        <source>&amp;Glossary…</source>
        <translation>术语表(&amp;G)…</translation>
    </message>
    <message>
        <source>The words of the window, explained</source>
        <translation>窗口中各个术语的解释</translation>
    </message>
    <message>
        <source>&amp;What is this?</source>
        <translation>这是什么(&amp;W)？</translation>
    </message>
    <message>
        <source>Then click anything: it says what it is</source>
        <translation>然后单击任何东西：它会说明自己是什么</translation>
    </message>
    <message>
        <source>Export &amp;trace…</source>
        <translation>导出跟踪(&amp;T)…</translation>
    </message>
    <message>
        <source>Stages, measured calls and kernels for Perfetto or chrome://tracing</source>
        <translation>各阶段、测得的调用与内核，供 Perfetto 或 chrome://tracing 打开</translation>
    </message>
    <message>
        <source>Compare &amp;values</source>
        <translation>比较数值(&amp;V)</translation>
    </message>
    <message>
        <source>Every value beside eager mode and double precision</source>
        <translation>每个值与 eager 模式及双精度并列</translation>
    </message>
    <message>
        <source>Comparing values…</source>
        <translation>正在比较数值…</translation>
    </message>
    <message>
        <source>There is nothing to trace yet.</source>
        <translation>还没有可导出的跟踪。</translation>
    </message>
    <message>
        <source>Export trace</source>
        <translation>导出跟踪</translation>
    </message>
    <message>
        <source>Traces (*.json)</source>
        <translation>跟踪文件 (*.json)</translation>
    </message>
    <message>
        <source>Export &amp;kernels</source>
        <translation>导出内核(&amp;K)</translation>
    </message>
    <message>
        <source>A folder with the kernels, a CMake file, and a program that runs them, checks their results and times them</source>
        <translation>一个文件夹，内含各内核、CMake 文件，以及运行、核对并计时的程序</translation>
    </message>
    <message>
        <source>As &amp;C++…</source>
        <translation>导出为 &amp;C++…</translation>
    </message>
    <message>
        <source>As C&amp;UDA…</source>
        <translation>导出为 C&amp;UDA…</translation>
    </message>
    <message>
        <source>Export kernels</source>
        <translation>导出内核</translation>
    </message>
    <message>
        <source>Exporting the kernels…</source>
        <translation>正在导出内核…</translation>
    </message>
    <message numerus="yes">
        <source>Exported %n file(s) to %1</source>
        <translation>
            <numerusform>已将 %n 个文件导出到 %1</numerusform>
        </translation>
    </message>
    <message>
        <source>&amp;Keep this layout…</source>
        <translation>保留此布局(&amp;K)…</translation>
    </message>
    <message>
        <source>Where the panes are now, under a name of your own</source>
        <translation>以自定名称保留各面板现在的位置</translation>
    </message>
    <message>
        <source>Keep this layout</source>
        <translation>保留此布局</translation>
    </message>
    <message>
        <source>Name:</source>
        <translation>名称：</translation>
    </message>
    <message>
        <source>&amp;Own layouts</source>
        <translation>自定布局(&amp;O)</translation>
    </message>
    <message>
        <source>Forget a la&amp;yout</source>
        <translation>删除布局(&amp;Y)</translation>
    </message>
    <message>
        <source>The panes as they were kept</source>
        <translation>恢复保留时的面板</translation>
    </message>
    <message>
        <source>Keep it no longer</source>
        <translation>不再保留</translation>
    </message>
    <message>
        <source>Pr&amp;esentation (Esc leaves it)</source>
        <translation>演示模式，按 Esc 退出(&amp;E)</translation>
    </message>
    <message>
        <source>Large type, and nothing but the panes; Esc leaves it</source>
        <translation>大字号，只显示面板；按 Esc 退出</translation>
    </message>
    <message>
        <source>Line %1: %2</source>
        <translation>第 %1 行：%2</translation>
    </message>
    <message>
        <source>source</source>
        <translation>源码</translation>
    </message>
    <message>
        <source>Up to date; not as decided: see What if</source>
        <translation>已是最新；但与决定不符：见“假如”面板</translation>
    </message>
    <message>
        <source>Open a link…</source>
        <translation>打开链接…</translation>
    </message>
    <message>
        <source>Open what a link to a node leads to</source>
        <translation>打开节点链接所指之处</translation>
    </message>
    <message>
        <source>“%1” is no link: it begins with cutaway:/// and a file</source>
        <translation>“%1”不是链接：链接以 cutaway:/// 和文件开头</translation>
    </message>
    <message>
        <source>“%1” is not in this compilation any more.</source>
        <translation>“%1”已不在这次编译中。</translation>
    </message>
    <message>
        <source>Open a link</source>
        <translation>打开链接</translation>
    </message>
    <message>
        <source>A link that was copied from a node:</source>
        <translation>从节点复制的链接：</translation>
    </message>
    <message>
        <source>Speaker notes</source>
        <translation>演讲者备注</translation>
    </message>
    <message>
        <source>What to say at each step of a tour, in a window of its own</source>
        <translation>导览每一步要说的话，显示在单独的窗口中</translation>
    </message>
    <message>
        <source>Measure</source>
        <translation>测量</translation>
    </message>
    <message>
        <source>Commands</source>
        <translation>命令</translation>
    </message>
    <message>
        <source>Theme</source>
        <translation>主题</translation>
    </message>
    <message>
        <source>How long this has lasted</source>
        <translation>已经持续的时间</translation>
    </message>
    <message>
        <source>%1 so far</source>
        <translation>已用 %1</translation>
    </message>
    <message>
        <source>%1 in the stages</source>
        <translation>各阶段共 %1</translation>
    </message>
    <message>
        <source>What was decided of this file in an earlier window is in force: %1.</source>
        <translation>先前窗口中对此文件所作的决定仍然生效：%1。</translation>
    </message>
    <message>
        <source>Leave it to the compiler</source>
        <translation>由编译器决定</translation>
    </message>
    <message>
        <source>“%1” is no longer on disk. What this window shows of it is kept.</source>
        <translation>“%1”已不在磁盘上。此窗口中显示的内容会保留。</translation>
    </message>
    <message>
        <source>&amp;Open</source>
        <translation>打开(&amp;O)</translation>
    </message>
    <message>
        <source>Stage of the grap&amp;h</source>
        <translation>图的阶段(&amp;H)</translation>
    </message>
    <message>
        <source>Si&amp;ze of the type</source>
        <translation>字体大小(&amp;Z)</translation>
    </message>
    <message>
        <source>“%1” is marked as read-only; it was written nevertheless.</source>
        <translation>“%1”被标记为只读；仍已写入。</translation>
    </message>
    <message>
        <source>C&amp;lose</source>
        <translation>关闭(&amp;L)</translation>
    </message>
    <message>
        <source>Close the document and go to the start page; edits are kept</source>
        <translation>关闭文档并回到起始页；编辑内容会保留</translation>
    </message>
    <message numerus="yes">
        <source>%n decision(s)</source>
        <translation>
            <numerusform>%n 项决定</numerusform>
        </translation>
    </message>
    <message>
        <source>Made instead of the compiler: %1</source>
        <translation>代替编译器作出：%1</translation>
    </message>
    <message>
        <source>Cancelling…</source>
        <translation>正在取消…</translation>
    </message>
    <message>
        <source>compiled in %1, %2 of it in the stages</source>
        <translation>编译用时 %1，其中各阶段 %2</translation>
    </message>
    <message>
        <source>The engine is still at work that was cancelled. It is started again if that goes on.</source>
        <translation>引擎仍在处理已取消的工作。若持续如此，它会被重新启动。</translation>
    </message>
    <message>
        <source>Keep what is decided</source>
        <translation>保留这些决定</translation>
    </message>
    <message>
        <source>nothing is open</source>
        <translation>没有打开任何文档</translation>
    </message>
    <message>
        <source>The system&apos;s</source>
        <translation>系统默认</translation>
    </message>
    <message>
        <source>Making “%1”…</source>
        <translation>正在生成“%1”…</translation>
    </message>
    <message>
        <source>Writing “%1”, %2…</source>
        <translation>正在写入“%1”，%2…</translation>
    </message>
    <message>
        <source>Exported %1, %2</source>
        <translation>已导出 %1，%2</translation>
    </message>
    <message>
        <source>Not measured: %1</source>
        <translation>未测量：%1</translation>
    </message>
    <message>
        <source>Up to date; a decided name means another value: see What if</source>
        <translation>已是最新；某个决定所用的名字现在指另一个值：见“假如”面板</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>&amp;Folder, made if it is not there:</source>
        <translation>文件夹（不存在则新建）(&amp;F)：</translation>
    </message>
    <message>
        <source>Timing schedules…</source>
        <translation>正在为调度计时…</translation>
    </message>
    <message>
        <source>Language (语言)</source>
        <translation>语言 (Language)</translation>
    </message>
    <message>
        <source>Of the window, when it is opened anew</source>
        <translation>窗口的语言，重新打开窗口后生效</translation>
    </message>
    <message>
        <source>Export graph: %1</source>
        <translation>导出图：%1</translation>
    </message>
    <message>
        <source>Exported %1: %2</source>
        <translation>已导出 %1：%2</translation>
    </message>
    <message>
        <source>Choose a tour</source>
        <translation>选择一个导览</translation>
    </message>
    <message>
        <source>chosen</source>
        <translation>已选</translation>
    </message>
    <message>
        <source>Could not start another window: %1</source>
        <translation>无法启动另一个窗口：%1</translation>
    </message>
    <message>
        <source>New &amp;window</source>
        <translation>新建窗口(&amp;W)</translation>
    </message>
    <message>
        <source>A second document beside this one, with an engine of its own</source>
        <translation>在此文档旁打开另一个文档，使用自己的引擎</translation>
    </message>
    <message>
        <source>this program cannot be started anew</source>
        <translation>无法再次启动本程序</translation>
    </message>
    <message>
        <source>this is not possible now</source>
        <translation>现在无法执行</translation>
    </message>
    <message>
        <source>there is no such command</source>
        <translation>没有这个命令</translation>
    </message>
    <message>
        <source>So was what was decided: %1.</source>
        <translation>所作的决定也已恢复：%1。</translation>
    </message>
    <message>
        <source>Write “%1 = True”</source>
        <translation>写成“%1 = True”</translation>
    </message>
    <message>
        <source>Plug-ins</source>
        <translation>插件</translation>
    </message>
    <message>
        <source>Shared libraries that the engine loads when it starts, separated by semicolons: they add backends and colours of nodes. They run with your rights.</source>
        <translation>引擎启动时加载的共享库，以分号分隔：它们增加后端和节点颜色，并以您的权限运行。</translation>
    </message>
    <message>
        <source>Attac&amp;h…</source>
        <translation>附加(&amp;H)…</translation>
    </message>
    <message>
        <source>Show what a running program compiles, as it happens: the record that “cutaway run --record” writes</source>
        <translation>实时显示正在运行的程序所编译的内容：即“cutaway run --record”写出的记录</translation>
    </message>
    <message>
        <source>Attached: %1 so far, more as the program runs</source>
        <translation>已附加：目前有 %1，随程序的运行而增加</translation>
    </message>
    <message numerus="yes">
        <source>%1 compilation(s)</source>
        <translation>
            <numerusform>%1 次编译</numerusform>
        </translation>
    </message>
    <message>
        <source>Show it as it grows</source>
        <translation>随其增长显示</translation>
    </message>
    <message>
        <source>Attach: what “cutaway run --record” writes</source>
        <translation>附加：“cutaway run --record”写出的内容</translation>
    </message>
    <message>
        <source>Records (*.cutaway);;All files (*)</source>
        <translation>记录 (*.cutaway);;所有文件 (*)</translation>
    </message>
    <message>
        <source>“%1” is a script: nothing writes it as it compiles. Run it with “cutaway run --record FILE”, and attach to that file.</source>
        <translation>“%1”是脚本：编译时没有程序写入它。请用“cutaway run --record FILE”运行它，再附加到该文件。</translation>
    </message>
    <message>
        <source>A measurement is under way: %1 gives it up.</source>
        <translation>测量正在进行：按 %1 可放弃。</translation>
    </message>
    <message>
        <source>Dark where it is light, and light where it is dark; contrast and colours for colour blindness stay</source>
        <translation>亮色变暗色，暗色变亮色；高对比度与色盲配色保持不变</translation>
    </message>
    <message>
        <source>Opening the record…</source>
        <translation>正在打开记录…</translation>
    </message>
    <message>
        <source>Do again what was taken back last</source>
        <translation>重做最近撤销的事</translation>
    </message>
    <message>
        <source>A decision was taken back.</source>
        <translation>已撤销一项决定。</translation>
    </message>
    <message>
        <source>A decision was made again.</source>
        <translation>已重做一项决定。</translation>
    </message>
    <message>
        <source>%1 Nothing is decided now.</source>
        <translation>%1 现在没有任何决定。</translation>
    </message>
    <message>
        <source>%1 Decided now: %2.</source>
        <translation>%1 现在的决定：%2。</translation>
    </message>
    <message>
        <source>Copy as a co&amp;mmand</source>
        <translation>复制为命令(&amp;M)</translation>
    </message>
    <message>
        <source>What measures this file in a shell, as it is decided here</source>
        <translation>在终端中按这里的决定测量此文件的命令</translation>
    </message>
    <message>
        <source>a record is not compiled again</source>
        <translation>记录不会重新编译</translation>
    </message>
    <message>
        <source>the script has no file yet</source>
        <translation>脚本还没有文件</translation>
    </message>
    <message>
        <source>Scripts, models, records and workspaces (*.py *.pt2 *.onnx *.cutaway *.cutaway-workspace);;All files (*)</source>
        <translation>脚本、模型、记录和工作区 (*.py *.pt2 *.onnx *.cutaway *.cutaway-workspace);;所有文件 (*)</translation>
    </message>
    <message>
        <source>Save workspace</source>
        <translation>保存工作区</translation>
    </message>
    <message>
        <source>Workspaces (*.%1);;All files (*)</source>
        <translation>工作区 (*.%1);;所有文件 (*)</translation>
    </message>
    <message>
        <source>Saved the workspace: %1</source>
        <translation>已保存工作区：%1</translation>
    </message>
    <message>
        <source>“%1” is not where it was, or is another by now: its text is shown as it was kept, without a file.</source>
        <translation>“%1” 已不在原处，或内容已不同：这里按保存时的样子显示其文本，不关联文件。</translation>
    </message>
    <message>
        <source>Save decisions…</source>
        <translation>保存决定…</translation>
    </message>
    <message>
        <source>All that is decided instead of the compiler, passes included, as a recipe for other scripts and for “cutaway … --recipe”</source>
        <translation>把代替编译器作出的全部决定（包括 Pass）存为配方，可用于其他脚本，也可用于 “cutaway … --recipe”</translation>
    </message>
    <message>
        <source>Apply decisions…</source>
        <translation>应用决定…</translation>
    </message>
    <message>
        <source>Decide as a recipe says</source>
        <translation>按配方作决定</translation>
    </message>
    <message>
        <source>Sa&amp;ve workspace…</source>
        <translation>保存工作区(&amp;V)…</translation>
    </message>
    <message>
        <source>The script with its options, decisions, selection and panes as one small file, to go on from here or to send; Open… opens it</source>
        <translation>把脚本连同选项、决定、选择和面板布局存为一个小文件，便于以后继续或发送给别人；用“打开…”打开</translation>
    </message>
    <message>
        <source>As SVG, PDF, PNG, DOT or GraphML</source>
        <translation>存为 SVG、PDF、PNG、DOT 或 GraphML</translation>
    </message>
    <message>
        <source>Save decisions</source>
        <translation>保存决定</translation>
    </message>
    <message>
        <source>Recipes (*.recipe);;All files (*)</source>
        <translation>配方 (*.recipe);;所有文件 (*)</translation>
    </message>
    <message>
        <source>Saved the decisions: %1</source>
        <translation>已保存决定：%1</translation>
    </message>
    <message>
        <source>Apply decisions</source>
        <translation>应用决定</translation>
    </message>
    <message>
        <source>Decided as %1 says.</source>
        <translation>已按 %1 作决定。</translation>
    </message>
    <message>
        <source>Scale of pictures</source>
        <translation>图片缩放</translation>
    </message>
    <message>
        <source>Of graphs that are exported as PNG: pixels for one of the screen.</source>
        <translation>导出为 PNG 的图：屏幕上一个像素对应多少像素。</translation>
    </message>
    <message>
        <source>Teaching</source>
        <translation>正在授课</translation>
    </message>
    <message>
        <source>Following a lesson</source>
        <translation>正在跟随课程</translation>
    </message>
    <message>
        <source>What this window shows goes to “%1”. A click ends that.</source>
        <translation>此窗口显示的内容会写入 “%1”。点击即结束。</translation>
    </message>
    <message>
        <source>This window shows what “%1” tells. A click ends that.</source>
        <translation>此窗口显示 “%1” 给出的内容。点击即结束。</translation>
    </message>
    <message>
        <source>The lesson ended: %1</source>
        <translation>课程已结束：%1</translation>
    </message>
    <message>
        <source>Lessons (*.%1);;All files (*)</source>
        <translation>课程 (*.%1);;所有文件 (*)</translation>
    </message>
    <message>
        <source>Teach: a file in a folder that the others see</source>
        <translation>授课：选择其他人看得到的文件夹中的文件</translation>
    </message>
    <message>
        <source>lesson</source>
        <translation>课程</translation>
    </message>
    <message>
        <source>Follow a lesson</source>
        <translation>跟随课程</translation>
    </message>
    <message>
        <source>Teac&amp;h…</source>
        <translation>授课(&amp;H)…</translation>
    </message>
    <message>
        <source>What this window shows goes to a file; windows that follow it, on other machines too, show the same</source>
        <translation>此窗口显示的内容写入一个文件；跟随它的窗口（也可在别的机器上）会显示同样的内容</translation>
    </message>
    <message>
        <source>&amp;Follow a lesson…</source>
        <translation>跟随课程(&amp;F)…</translation>
    </message>
    <message>
        <source>Show what a teacher’s window shows, as it goes on</source>
        <translation>随课程进行，显示教师窗口所显示的内容</translation>
    </message>
    <message>
        <source>capturing</source>
        <translation>正在捕获</translation>
    </message>
    <message>
        <source>compiling and running once</source>
        <translation>正在编译并运行一次</translation>
    </message>
    <message>
        <source>recording</source>
        <translation>正在记录</translation>
    </message>
    <message>
        <source>comparing values</source>
        <translation>正在比较数值</translation>
    </message>
    <message>
        <source>comparing with double precision</source>
        <translation>正在与双精度比较</translation>
    </message>
    <message>
        <source>&amp;Find in text…</source>
        <translation>在文本中查找(&amp;F)…</translation>
    </message>
    <message>
        <source>Find in the pane where the keyboard is, or text in the source</source>
        <translation>在键盘所在的面板中查找，或在源代码中查找文本</translation>
    </message>
    <message>
        <source>Open a trace…</source>
        <translation>打开跟踪…</translation>
    </message>
    <message>
        <source>What torch.profiler, Perfetto or “cutaway bench --trace” wrote, beside our own times</source>
        <translation>torch.profiler、Perfetto 或“cutaway bench --trace”写出的内容，与我们自己的时间并列</translation>
    </message>
    <message>
        <source>Colour the graph by a file…</source>
        <translation>按文件为图着色…</translation>
    </message>
    <message>
        <source>Numbers of nodes from a CSV or JSON file as a heat map</source>
        <translation>将 CSV 或 JSON 文件中各节点的数值显示为热图</translation>
    </message>
    <message>
        <source>Attached: %1; the program has ended</source>
        <translation>已附加：%1；程序已结束</translation>
    </message>
    <message>
        <source>The lesson is over: what it showed stays.</source>
        <translation>课程已结束：所示内容保留。</translation>
    </message>
    <message>
        <source>The lesson “%1” tells nothing now: %2. It is looked for again and again; what it showed stays.</source>
        <translation>课程“%1”现在没有内容：%2。会不断重新查找；所示内容保留。</translation>
    </message>
    <message>
        <source>Follow it no longer</source>
        <translation>不再跟随</translation>
    </message>
    <message>
        <source>The lesson shows “%1”, which is not on this machine: put it where the lesson&apos;s file is.</source>
        <translation>课程显示“%1”，而本机没有它：请把它放到课程文件所在处。</translation>
    </message>
    <message>
        <source>The lesson is compiled for %1, which this machine does not have: here it is for %2.</source>
        <translation>课程为 %1 编译，而本机没有该设备：这里为 %2 编译。</translation>
    </message>
    <message>
        <source>What the teacher has selected is not in what is compiled here: %1.</source>
        <translation>教师所选的内容不在这里的编译结果中：%1。</translation>
    </message>
    <message>
        <source>Spotlight</source>
        <translation>聚光灯</translation>
    </message>
    <message>
        <source>Darken all but what lies around the pointer, in a presentation</source>
        <translation>演示时把指针周围以外的部分变暗</translation>
    </message>
    <message>
        <source>nothing is presented: F11 begins it</source>
        <translation>没有在演示：F11 开始</translation>
    </message>
    <message>
        <source>Nothing plays by itself: the Steps pane goes on only when it is asked to, and the pointer of a presentation leaves no trail.</source>
        <translation>不自动播放：步骤面板只在要求时前进，演示时指针也不留轨迹。</translation>
    </message>
    <message>
        <source>Take back what was done last: an edit of the script, a decision, or another size or device</source>
        <translation>撤回最后所做的：脚本的编辑、决定，或另选的尺寸或设备</translation>
    </message>
    <message>
        <source>The size is “%1” again.</source>
        <translation>尺寸又是“%1”。</translation>
    </message>
    <message>
        <source>The device is %1 again.</source>
        <translation>设备又是 %1。</translation>
    </message>
    <message>
        <source>Of the window, when it is opened anew. The compiler&apos;s reasons are told in it, too; errors of a script are English in every language.</source>
        <translation>窗口的语言，重新打开时生效。编译器的理由也用它说明；脚本的错误在任何语言下都是英文。</translation>
    </message>
    <message>
        <source>Panes are locked where they are: View, Lock panes lets them be moved.</source>
        <translation>面板已锁定在原处：用“视图”中的“锁定面板”可以移动它们。</translation>
    </message>
    <message>
        <source>What has no room here</source>
        <translation>此处放不下的内容</translation>
    </message>
    <message>
        <source>Add it to Compare</source>
        <translation>加入“比较”</translation>
    </message>
    <message>
        <source>Next that “Go to” finds</source>
        <translation>“转到”找到的下一个</translation>
    </message>
    <message>
        <source>Previous that “Go to” finds</source>
        <translation>“转到”找到的上一个</translation>
    </message>
    <message>
        <source>From one of what “Go to…” found to the next, in all panes</source>
        <translation>在所有面板中，从“转到…”找到的一项到下一项</translation>
    </message>
    <message>
        <source>The one before</source>
        <translation>前一项</translation>
    </message>
    <message>
        <source>%1 of %2 that “%3” finds</source>
        <translation>“%3”找到的第 %1 项，共 %2 项</translation>
    </message>
    <message>
        <source>ran in %1</source>
        <translation>运行用时 %1</translation>
    </message>
</context>
<context>
    <name>cutaway::views::MemoryMap</name>
    <message>
        <source>Memory plan</source>
        <translation>内存规划</translation>
    </message>
    <message>
        <source>peak</source>
        <translation>峰值</translation>
    </message>
    <message numerus="yes">
        <source>%1 kernel(s), in order</source>
        <translation>
            <numerusform>%1 个内核，按顺序</numerusform>
        </translation>
    </message>
    <message>
        <source>%1
%2 at offset %3
%4</source>
        <translation>%1
%2，偏移 %3
%4</translation>
    </message>
</context>
<context>
    <name>cutaway::views::MemoryPane</name>
    <message>
        <source>Graph</source>
        <translation>图</translation>
    </message>
    <message>
        <source>arena %1</source>
        <translation>内存池 %1</translation>
    </message>
    <message>
        <source>, %1 without sharing</source>
        <translation>，不共享时 %1</translation>
    </message>
    <message>
        <source>Every buffer of this graph is an input, an output or lives in registers: the arena is empty.</source>
        <translation>此图的每个缓冲区都是输入、输出或在寄存器中：内存池为空。</translation>
    </message>
</context>
<context>
    <name>cutaway::views::MessagesPane</name>
    <message>
        <source>No messages.</source>
        <translation>没有消息。</translation>
    </message>
</context>
<context>
    <name>cutaway::views::NumbersPane</name>
    <message>
        <source>Only what stands out</source>
        <translation>仅显示异常的</translation>
    </message>
    <message>
        <source>First</source>
        <translation>第一个</translation>
    </message>
    <message>
        <source>Graph</source>
        <translation>图</translation>
    </message>
    <message>
        <source>What is compiled</source>
        <translation>被编译的图</translation>
    </message>
    <message>
        <source>op:mm  /expression/</source>
        <translation>op:mm  /表达式/</translation>
    </message>
    <message>
        <source>Values to show</source>
        <translation>要显示的值</translation>
    </message>
    <message>
        <source>Values whose error rounding does not explain, and those that hold elements which are not finite</source>
        <translation>误差无法以舍入解释的值，以及含有非有限元素的值</translation>
    </message>
    <message>
        <source>Select the first value that rounding does not explain</source>
        <translation>选中第一个舍入无法解释的值</translation>
    </message>
    <message>
        <source>These numbers are of %1.</source>
        <translation>这些数值属于 %1。</translation>
    </message>
    <message>
        <source>Not compared: %1.</source>
        <translation>未能比较：%1。</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Compare values</source>
        <translation>比较数值</translation>
    </message>
    <message>
        <source>Runs the step compiled, by eager mode and in double precision, and compares every value on the way</source>
        <translation>分别以编译、eager 模式和双精度运行这一步，并比较途中的每个值</translation>
    </message>
    <message>
        <source>A saved record holds no values.</source>
        <translation>已保存的记录不含数值。</translation>
    </message>
    <message>
        <source>Press “Compare values” to find where compiled, eager and double precision part.</source>
        <translation>按“比较数值”，找出编译、eager 与双精度从何处开始不同。</translation>
    </message>
    <message>
        <source>Comparing…</source>
        <translation>正在比较…</translation>
    </message>
    <message>
        <source>No value here is asked for.</source>
        <translation>没有符合条件的值。</translation>
    </message>
    <message>
        <source>Choose a value to see how its elements lie.</source>
        <translation>选择一个值，查看其元素的分布。</translation>
    </message>
    <message numerus="yes">
        <source>%1: %2 element(s)</source>
        <translation>
            <numerusform>%1：%2 个元素</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 not finite</source>
        <translation>%1 个非有限</translation>
    </message>
    <message>
        <source>Values</source>
        <translation>数值</translation>
    </message>
    <message>
        <source>Distribution</source>
        <translation>分布</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>比较</translation>
    </message>
    <message>
        <source>first %1</source>
        <translation>第一个 %1</translation>
    </message>
</context>
<context>
    <name>cutaway::views::OutputPane</name>
    <message>
        <source>Output</source>
        <translation>输出</translation>
    </message>
    <message>
        <source>What the script prints stands here.</source>
        <translation>脚本打印的内容显示在这里。</translation>
    </message>
</context>
<context>
    <name>cutaway::views::Pane</name>
    <message>
        <source>Reveal in %1</source>
        <translation>在%1中显示</translation>
    </message>
    <message>
        <source>Open a script to begin.</source>
        <translation>打开一个脚本即可开始。</translation>
    </message>
    <message>
        <source>Compiling…</source>
        <translation>正在编译…</translation>
    </message>
    <message>
        <source>The engine is not running. Start it again to compile.</source>
        <translation>引擎没有运行。重新启动引擎以编译。</translation>
    </message>
    <message>
        <source>The engine ended while it compiled this text. F7 compiles it again.</source>
        <translation>引擎在编译此文本时结束。按 F7 重新编译。</translation>
    </message>
    <message>
        <source>The compilation was cancelled. F7 compiles again.</source>
        <translation>编译已取消。按 F7 重新编译。</translation>
    </message>
    <message>
        <source>This record cannot be read. See Messages.</source>
        <translation>无法读取此记录。见“消息”。</translation>
    </message>
    <message>
        <source>%1.
To see something here, %2. What the script prints stands in Output.</source>
        <translation>%1。
要在这里看到内容，%2。脚本打印的内容在“输出”中。</translation>
    </message>
    <message>
        <source>This script compiles nothing. What it prints stands in Output.</source>
        <translation>此脚本没有编译任何东西。它打印的内容在“输出”中。</translation>
    </message>
    <message>
        <source>The script does not compile yet. See Messages.</source>
        <translation>脚本还无法编译。见“消息”。</translation>
    </message>
    <message>
        <source>Nothing has been compiled yet.</source>
        <translation>还没有编译任何东西。</translation>
    </message>
    <message>
        <source>The compilation did not come this far. See Messages.</source>
        <translation>编译没有进行到这一步。见“消息”。</translation>
    </message>
    <message>
        <source>Copy a &amp;link to it</source>
        <translation>复制指向它的链接(&amp;L)</translation>
    </message>
    <message>
        <source>Reading the result…</source>
        <translation>正在读取结果…</translation>
    </message>
    <message>
        <source>This record holds no measurement of what is shown, and a saved record is not measured again.</source>
        <translation>此记录不含当前显示内容的测量，而已保存的记录不会重新测量。</translation>
    </message>
</context>
<context>
    <name>cutaway::views::PartitionPane</name>
    <message>
        <source>Fit the whole graph (Space)</source>
        <translation>显示整个图（空格）</translation>
    </message>
    <message>
        <source>Select a value of the forward to decide otherwise.</source>
        <translation>选择前向图的一个值以改变决定。</translation>
    </message>
    <message>
        <source>Point at a row to read why.</source>
        <translation>把鼠标移到一行上可查看原因。</translation>
    </message>
    <message>
        <source>Saved</source>
        <translation>已保存</translation>
    </message>
    <message>
        <source>Recomputed</source>
        <translation>已重计算</translation>
    </message>
    <message>
        <source>No backward graph: nothing here requires a gradient, so there is nothing to cut.</source>
        <translation>没有反向图：这里没有需要梯度的东西，因此无需切分。</translation>
    </message>
    <message>
        <source>saved across the cut</source>
        <translation>跨割保存</translation>
    </message>
    <message>
        <source>computed again</source>
        <translation>重计算</translation>
    </message>
    <message>
        <source>Placing the nodes…</source>
        <translation>正在排布节点…</translation>
    </message>
    <message numerus="yes">
        <source>%1 tensor(s) saved, %2</source>
        <translation>
            <numerusform>保存 %1 个张量，%2</numerusform>
        </translation>
    </message>
    <message>
        <source> (%1 of it inputs)</source>
        <translation>（其中输入 %1）</translation>
    </message>
    <message numerus="yes">
        <source> · %1 value(s) computed again</source>
        <translation>
            <numerusform> · 重计算 %1 个值</numerusform>
        </translation>
    </message>
    <message>
        <source>Saved (%1)</source>
        <translation>已保存（%1）</translation>
    </message>
    <message>
        <source>Recomputed (%1)</source>
        <translation>已重计算（%1）</translation>
    </message>
    <message>
        <source>Nothing is saved.</source>
        <translation>没有保存任何值。</translation>
    </message>
    <message>
        <source>Nothing is computed again.</source>
        <translation>没有重计算任何值。</translation>
    </message>
    <message>
        <source>Cut</source>
        <translation>切分</translation>
    </message>
</context>
<context>
    <name>cutaway::views::PassesPane</name>
    <message>
        <source>Only passes that changed something</source>
        <translation>只显示有改动的 Pass</translation>
    </message>
    <message>
        <source>Previous pass that changed something ([); any: {</source>
        <translation>上一个有改动的 Pass（[）；任意：{</translation>
    </message>
    <message>
        <source>Next pass that changed something (]); any: }</source>
        <translation>下一个有改动的 Pass（]）；任意：}</translation>
    </message>
    <message>
        <source>Changes</source>
        <translation>改动</translation>
    </message>
    <message>
        <source>On the graph</source>
        <translation>在图上</translation>
    </message>
    <message>
        <source>Graph after the pass</source>
        <translation>经过该 Pass 之后的图</translation>
    </message>
    <message>
        <source>+%1  −%2  ~%3</source>
        <translation>+%1  −%2  ~%3</translation>
    </message>
    <message>
        <source>added, removed, rewritten</source>
        <translation>新增、移除、改写</translation>
    </message>
    <message>
        <source>Leave this pass out</source>
        <translation>去掉此 Pass</translation>
    </message>
    <message>
        <source>Compile without it, to see what follows</source>
        <translation>编译时不用它，看看会怎样</translation>
    </message>
    <message>
        <source>Put “%1” back</source>
        <translation>恢复“%1”</translation>
    </message>
    <message>
        <source>It was left out</source>
        <translation>它被去掉了</translation>
    </message>
    <message>
        <source>nothing to change</source>
        <translation>没有可改动的</translation>
    </message>
    <message>
        <source>Placing the nodes…</source>
        <translation>正在排布节点…</translation>
    </message>
    <message>
        <source>No pass changed anything.</source>
        <translation>没有 Pass 做出改动。</translation>
    </message>
    <message>
        <source>No pass is chosen.</source>
        <translation>没有选中 Pass。</translation>
    </message>
    <message>
        <source>Earlier</source>
        <translation>提前</translation>
    </message>
    <message>
        <source>Run it before “%1”</source>
        <translation>让它在“%1”之前运行</translation>
    </message>
    <message>
        <source>Later</source>
        <translation>推后</translation>
    </message>
    <message>
        <source>Run it after “%1”</source>
        <translation>让它在“%1”之后运行</translation>
    </message>
    <message>
        <source>Undo “%1 before %2”</source>
        <translation>撤销“%1 在 %2 之前”</translation>
    </message>
    <message>
        <source>Run them in their usual order</source>
        <translation>按通常的顺序运行</translation>
    </message>
    <message>
        <source>The rule</source>
        <translation>规则</translation>
    </message>
    <message>
        <source>What the pass does, when it fires, when it must not</source>
        <translation>该 pass 做什么、何时触发、何时不得触发</translation>
    </message>
    <message>
        <source>Nothing is known of its rule.</source>
        <translation>不知道它的规则。</translation>
    </message>
    <message>
        <source>Rewrite before (,); before the first: all</source>
        <translation>上一次改写 (,)；第一次之前：全部</translation>
    </message>
    <message>
        <source>Next rewrite (.)</source>
        <translation>下一次改写 (.)</translation>
    </message>
    <message numerus="yes">
        <source>%n rewrite(s), all of them below</source>
        <translation>
            <numerusform>%n 次改写，全部见下方</numerusform>
        </translation>
    </message>
    <message>
        <source>Rewrite %1 of %2: %3</source>
        <translation>第 %1 次改写（共 %2 次）：%3</translation>
    </message>
    <message>
        <source>met its condition.</source>
        <translation>满足其条件。</translation>
    </message>
    <message>
        <source>met its condition: %1.</source>
        <translation>满足其条件：%1。</translation>
    </message>
    <message>
        <source>Read from now on: %1.</source>
        <translation>此后读取：%1。</translation>
    </message>
    <message>
        <source>Fires</source>
        <translation>触发</translation>
    </message>
    <message>
        <source>Must not fire</source>
        <translation>不得触发</translation>
    </message>
    <message>
        <source>Nearly (looks like a case, and is none or another)</source>
        <translation>近似情形（看似符合，其实不是或另有处理）</translation>
    </message>
    <message>
        <source>Source</source>
        <translation>来源</translation>
    </message>
    <message>
        <source>Only with changes</source>
        <translation>仅有改动的</translation>
    </message>
    <message>
        <source>&lt;b&gt;%1&lt;/b&gt; was left out of this compilation.</source>
        <translation>此次编译去掉了 &lt;b&gt;%1&lt;/b&gt;。</translation>
    </message>
    <message>
        <source>%1 (usually %2)</source>
        <translation>%1（通常为 %2）</translation>
    </message>
    <message>
        <source>. Later stages rely on it: it is never left out.</source>
        <translation>。后面的阶段依赖它，因此从不略去。</translation>
    </message>
</context>
<context>
    <name>cutaway::views::Player</name>
    <message>
        <source>Moments</source>
        <translation>各步</translation>
    </message>
    <message>
        <source>One moment back (←)</source>
        <translation>后退一步（←）</translation>
    </message>
    <message>
        <source>One moment on (→)</source>
        <translation>前进一步（→）</translation>
    </message>
    <message>
        <source>Drag to any moment</source>
        <translation>拖到任意一步</translation>
    </message>
    <message>
        <source>Moment</source>
        <translation>步</translation>
    </message>
    <message>
        <source>%1 a second</source>
        <translation>每秒 %1 步</translation>
    </message>
    <message>
        <source>Speed</source>
        <translation>速度</translation>
    </message>
    <message>
        <source>Pause (space)</source>
        <translation>暂停（空格）</translation>
    </message>
    <message>
        <source>Play (space)</source>
        <translation>播放（空格）</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>第 %1 步，共 %2 步</translation>
    </message>
</context>
<context>
    <name>cutaway::views::RooflineChart</name>
    <message>
        <source>Roofline</source>
        <translation>Roofline</translation>
    </message>
    <message>
        <source>operations for each byte read or written</source>
        <translation>每读写一个字节的运算次数</translation>
    </message>
    <message>
        <source>%1/s, %2</source>
        <translation>%1/s，%2</translation>
    </message>
</context>
<context>
    <name>cutaway::views::RunPane</name>
    <message>
        <source>Run</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>Kernels</source>
        <translation>内核</translation>
    </message>
    <message>
        <source>Errors</source>
        <translation>误差</translation>
    </message>
    <message>
        <source>History</source>
        <translation>历史</translation>
    </message>
    <message>
        <source>the captured graph, one kernel an operation</source>
        <translation>捕获的图，每个算子一个内核</translation>
    </message>
    <message>
        <source>joint graph and partition, one kernel an operation</source>
        <translation>联合图和切分，每个算子一个内核</translation>
    </message>
    <message>
        <source>the whole pipeline</source>
        <translation>完整流水线</translation>
    </message>
    <message>
        <source>threads: </source>
        <translation>线程数：</translation>
    </message>
    <message>
        <source>Threads</source>
        <translation>线程数</translation>
    </message>
    <message>
        <source> s each</source>
        <translation> 秒/项</translation>
    </message>
    <message>
        <source>how long each backend is measured at least</source>
        <translation>每个后端至少测量多久</translation>
    </message>
    <message>
        <source>Seconds for each backend</source>
        <translation>每个后端的秒数</translation>
    </message>
    <message>
        <source>Measure the chosen backends (F5)</source>
        <translation>测量选中的后端（F5）</translation>
    </message>
    <message>
        <source>threads: all (%1)</source>
        <translation>线程：全部 (%1)</translation>
    </message>
    <message>
        <source>threads: all</source>
        <translation>线程：全部</translation>
    </message>
    <message>
        <source>No comparison with double precision yet.</source>
        <translation>还没有与双精度的比较。</translation>
    </message>
    <message>
        <source>Every measurement of this document is kept here, to be compared.</source>
        <translation>此文档的每次测量都保留在这里，以供比较。</translation>
    </message>
    <message>
        <source>Eager operations are not timed one by one.</source>
        <translation>eager 算子不逐个计时。</translation>
    </message>
    <message>
        <source>No kernel times yet.</source>
        <translation>还没有内核用时。</translation>
    </message>
    <message>
        <source>Kernels of %1</source>
        <translation>%1 的内核</translation>
    </message>
    <message>
        <source>Measured with %1</source>
        <translation>测量条件：%1</translation>
    </message>
    <message>
        <source>. Run again to renew.</source>
        <translation>。重新运行以更新。</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>No backend is chosen.</source>
        <translation>没有选择后端。</translation>
    </message>
    <message>
        <source>Give up the measurement</source>
        <translation>放弃测量</translation>
    </message>
    <message>
        <source>size “%1” on %2</source>
        <translation>%2 上的规模“%1”</translation>
    </message>
    <message>
        <source>F5 measures %1. What is measured is chosen in Options.</source>
        <translation>按 F5 测量%1。测量什么在“选项”中选择。</translation>
    </message>
    <message>
        <source>Press Run to measure %1.</source>
        <translation>按“运行”以测量 %1。</translation>
    </message>
    <message>
        <source>Measuring…</source>
        <translation>正在测量…</translation>
    </message>
    <message>
        <source>Inputs…</source>
        <translation>输入…</translation>
    </message>
    <message>
        <source>What the model is called with: the script&apos;s own values, numbers of a distribution, or an array of a file</source>
        <translation>模型以何调用：脚本自己的值、某分布的随机数，或文件中的数组</translation>
    </message>
    <message>
        <source>Only a case file, with example_inputs, is called with inputs that can be chosen.</source>
        <translation>只有带 example_inputs 的案例文件才能选择输入。</translation>
    </message>
    <message>
        <source>Inputs (%1)…</source>
        <translation>输入（%1）…</translation>
    </message>
    <message>
        <source>Counters</source>
        <translation>计数器</translation>
    </message>
    <message>
        <source>Instructions, cycles, misses and page faults of a call stand here once it is measured.</source>
        <translation>测量之后，这里会列出每次调用的指令数、周期数、未命中次数和缺页次数。</translation>
    </message>
    <message>
        <source>Not measured: %1.</source>
        <translation>未测量：%1。</translation>
    </message>
    <message>
        <source>The numbers below are those of the measurement before.</source>
        <translation>下面是上一次测量的数字。</translation>
    </message>
    <message>
        <source>Lines</source>
        <translation>代码行</translation>
    </message>
    <message>
        <source>Where a call computes: lines of the kernels&apos; texts, by samples</source>
        <translation>一次调用在哪里计算：内核文本的各行，按采样统计</translation>
    </message>
    <message>
        <source>No samples: %1</source>
        <translation>没有采样：%1</translation>
    </message>
    <message>
        <source>Where a call computes stands here once it is measured.</source>
        <translation>测量之后，这里显示一次调用在哪些行计算。</translation>
    </message>
    <message>
        <source>Backends</source>
        <translation>后端</translation>
    </message>
    <message>
        <source>The rows below were measured before that.</source>
        <translation>以下各行是在此之前测得的。</translation>
    </message>
    <message>
        <source>Options</source>
        <translation>选项</translation>
    </message>
</context>
<context>
    <name>cutaway::views::Session</name>
    <message>
        <source>the engine&apos;s answer to `compile` holds no record</source>
        <translation>引擎对 `compile` 的答复中没有记录</translation>
    </message>
    <message>
        <source>%1: another program changed this file</source>
        <translation>%1：另一个程序修改了此文件</translation>
    </message>
    <message>
        <source>unsaved edits could not be kept: %1</source>
        <translation>无法保留未保存的修改：%1</translation>
    </message>
    <message>
        <source>No script is open.</source>
        <translation>没有打开脚本。</translation>
    </message>
    <message>
        <source>A saved record is not measured again.</source>
        <translation>保存的记录不会重新测量。</translation>
    </message>
    <message>
        <source>The engine is not running.</source>
        <translation>引擎没有运行。</translation>
    </message>
    <message>
        <source>The script does not compile.</source>
        <translation>脚本无法编译。</translation>
    </message>
    <message>
        <source>The script compiles nothing: there is nothing to measure.</source>
        <translation>脚本没有编译任何东西：无可测量。</translation>
    </message>
    <message>
        <source>stopped: the text changed meanwhile</source>
        <translation>已停止：其间文本被修改</translation>
    </message>
    <message>
        <source>cancelled</source>
        <translation>已取消</translation>
    </message>
    <message>
        <source>the engine measured nothing</source>
        <translation>引擎没有测量到任何结果</translation>
    </message>
    <message>
        <source>the engine&apos;s answer to “run” is not an object</source>
        <translation>引擎对“run”的答复不是对象</translation>
    </message>
    <message>
        <source>the engine measured no kernels</source>
        <translation>引擎没有测量到任何内核</translation>
    </message>
    <message>
        <source>the engine&apos;s answer holds no text</source>
        <translation>引擎的答复中没有文本</translation>
    </message>
    <message>
        <source>the engine&apos;s answer to “probe” holds no values</source>
        <translation>引擎对“probe”的回答不含数值</translation>
    </message>
    <message>
        <source>the engine&apos;s answer holds no files</source>
        <translation>引擎的回答不含文件</translation>
    </message>
    <message>
        <source>what is decided could not be kept: %1</source>
        <translation>无法保留所作的决定：%1</translation>
    </message>
    <message>
        <source>another record came first</source>
        <translation>另一份记录先到了</translation>
    </message>
    <message>
        <source>the texts of the kernels did not come: %1</source>
        <translation>未能取得内核的文本：%1</translation>
    </message>
    <message>
        <source>no kernel has a schedule to time</source>
        <translation>没有内核有可计时的调度</translation>
    </message>
    <message>
        <source>The script is still being compiled.</source>
        <translation>脚本仍在编译。</translation>
    </message>
    <message>
        <source>double precision</source>
        <translation>双精度</translation>
    </message>
</context>
<context>
    <name>cutaway::views::SettingsDialog</name>
    <message>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>Find a setting</source>
        <translation>查找设置</translation>
    </message>
    <message>
        <source>Kept as plain text in %1</source>
        <translation>以纯文本保存在 %1</translation>
    </message>
    <message>
        <source>&amp;Open the file</source>
        <translation>打开该文件(&amp;O)</translation>
    </message>
    <message>
        <source>Put “%1” back</source>
        <translation>恢复“%1”</translation>
    </message>
    <message>
        <source>Reset</source>
        <translation>重置</translation>
    </message>
</context>
<context>
    <name>cutaway::views::ShortcutSheet</name>
    <message>
        <source>In a graph</source>
        <translation>在图中</translation>
    </message>
    <message>
        <source>In the passes</source>
        <translation>在 Pass 面板中</translation>
    </message>
    <message>
        <source>To the next node along an edge, or in the row: arrow keys</source>
        <translation>沿边到下一个节点，或在同一行内移动：方向键</translation>
    </message>
    <message>
        <source>Fit the whole graph</source>
        <translation>显示整个图</translation>
    </message>
    <message>
        <source>Zoom in</source>
        <translation>放大</translation>
    </message>
    <message>
        <source>Zoom out</source>
        <translation>缩小</translation>
    </message>
    <message>
        <source>Real size</source>
        <translation>实际大小</translation>
    </message>
    <message>
        <source>To what is lit</source>
        <translation>到高亮处</translation>
    </message>
    <message>
        <source>Next that was found</source>
        <translation>下一个找到的</translation>
    </message>
    <message>
        <source>Open a box</source>
        <translation>展开方框</translation>
    </message>
    <message>
        <source>Menu of the node</source>
        <translation>节点的菜单</translation>
    </message>
    <message>
        <source>Previous pass that changed something</source>
        <translation>上一个有改动的 Pass</translation>
    </message>
    <message>
        <source>Next pass that changed something</source>
        <translation>下一个有改动的 Pass</translation>
    </message>
    <message>
        <source>Previous pass</source>
        <translation>上一个 Pass</translation>
    </message>
    <message>
        <source>Next pass</source>
        <translation>下一个 Pass</translation>
    </message>
    <message>
        <source>&amp;Usual keys</source>
        <translation>默认快捷键(&amp;U)</translation>
    </message>
    <message>
        <source>Commands and keys</source>
        <translation>命令和快捷键</translation>
    </message>
    <message>
        <source>Find a command or a key</source>
        <translation>查找命令或快捷键</translation>
    </message>
    <message>
        <source>Command</source>
        <translation>命令</translation>
    </message>
    <message>
        <source>Keys</source>
        <translation>快捷键</translation>
    </message>
    <message>
        <source>Commands</source>
        <translation>命令</translation>
    </message>
    <message>
        <source>Keys of the chosen command</source>
        <translation>所选命令的快捷键</translation>
    </message>
    <message>
        <source>%1 is taken by “%2”. Give that other keys first.</source>
        <translation>%1 已被“%2”占用。请先给那个命令换一个快捷键。</translation>
    </message>
    <message>
        <source>Esc leaves what is open, and is no key of a command.</source>
        <translation>Esc 用于离开打开的内容，不能作为命令的按键。</translation>
    </message>
</context>
<context>
    <name>cutaway::views::SourcePane</name>
    <message>
        <source>Source</source>
        <translation>源码</translation>
    </message>
    <message>
        <source>hint: </source>
        <translation>提示：</translation>
    </message>
</context>
<context>
    <name>cutaway::views::SpeakerNotes</name>
    <message>
        <source>Speaker notes</source>
        <translation>演讲者备注</translation>
    </message>
    <message>
        <source>Notes of this step</source>
        <translation>这一步的备注</translation>
    </message>
    <message>
        <source>Back</source>
        <translation>后退</translation>
    </message>
    <message>
        <source>Next</source>
        <translation>前进</translation>
    </message>
    <message>
        <source>Time from 0</source>
        <translation>重新计时</translation>
    </message>
    <message>
        <source>No tour is played. Begin one in the Tours pane: the notes of its steps stand here.</source>
        <translation>没有在播放导览。请在“导览”窗格中开始一个：各步骤的备注会显示在这里。</translation>
    </message>
    <message>
        <source>%1: step %2 of %3, %4</source>
        <translation>%1：第 %2 步，共 %3 步，%4</translation>
    </message>
    <message>
        <source>This step has no notes. Its text:</source>
        <translation>这一步没有备注。它的文字：</translation>
    </message>
    <message>
        <source>This is the last step.</source>
        <translation>这是最后一步。</translation>
    </message>
    <message>
        <source>Next: %1</source>
        <translation>接下来：%1</translation>
    </message>
</context>
<context>
    <name>cutaway::views::StageBar</name>
    <message>
        <source>Stages</source>
        <translation>阶段</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>under way</source>
        <translation>正在进行</translation>
    </message>
    <message>
        <source>the compilation ended here</source>
        <translation>编译在此处结束</translation>
    </message>
    <message>
        <source>of an earlier text</source>
        <translation>来自较早的文本</translation>
    </message>
</context>
<context>
    <name>cutaway::views::StaleVeil</name>
    <message>
        <source>Last good result, %1 old (%2)</source>
        <translation>最近一次成功的结果，%1前（%2）</translation>
    </message>
    <message>
        <source>First stages of an earlier text, %1 old (%2)</source>
        <translation>先前文本的最初几个阶段，%1前（%2）</translation>
    </message>
</context>
<context>
    <name>cutaway::views::StartPage</name>
    <message>
        <source>Whole training scripts</source>
        <translation>完整的训练脚本</translation>
    </message>
    <message>
        <source>Cutaway</source>
        <translation>Cutaway</translation>
    </message>
    <message>
        <source>See everything a tensor compiler does with your model: captured graph, joint graph, partition, fused kernels, generated code, machine code, and what it costs when it runs.</source>
        <translation>查看张量编译器对您的模型所做的一切：捕获的图、联合图、切分、融合后的内核、生成的代码、机器码，以及运行的代价。</translation>
    </message>
    <message>
        <source>Open a script…</source>
        <translation>打开脚本…</translation>
    </message>
    <message>
        <source>New script</source>
        <translation>新建脚本</translation>
    </message>
    <message>
        <source>or drop a file anywhere</source>
        <translation>或把文件拖放到任意位置</translation>
    </message>
    <message>
        <source>Samples</source>
        <translation>示例</translation>
    </message>
    <message>
        <source>Recent</source>
        <translation>最近</translation>
    </message>
    <message>
        <source>%1 — unsaved edits</source>
        <translation>%1 — 有未保存的修改</translation>
    </message>
    <message>
        <source>Files you open appear here.</source>
        <translation>您打开过的文件会显示在这里。</translation>
    </message>
    <message>
        <source>Opens scripts in PyTorch&apos;s Python (.py), programs that torch.export saved (.pt2), ONNX models (.onnx) and records of compilations (.cutaway). Other stored models hold no script: open the one they came from.</source>
        <translation>可打开 PyTorch 的 Python 脚本 (.py)、torch.export 保存的程序 (.pt2)、ONNX 模型 (.onnx) 和编译记录 (.cutaway)。其他存储的模型不含脚本：请打开生成它们的脚本。</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1，%2</translation>
    </message>
    <message>
        <source>never saved</source>
        <translation>从未保存</translation>
    </message>
    <message>
        <source>Known architectures</source>
        <translation>常见架构</translation>
    </message>
    <message>
        <source>Tours</source>
        <translation>导览</translation>
    </message>
    <message>
        <source>No samples are beside this program. They come with an installation, and with the sources.</source>
        <translation>此程序旁边没有示例。示例随安装包和源代码提供。</translation>
    </message>
    <message>
        <source>Start here</source>
        <translation>从这里开始</translation>
    </message>
</context>
<context>
    <name>cutaway::views::StepsPane</name>
    <message>
        <source>A kernel, element by element</source>
        <translation>内核，逐元素</translation>
    </message>
    <message>
        <source>The cut, path by path</source>
        <translation>割，逐条路径</translation>
    </message>
    <message>
        <source>The arena, kernel by kernel</source>
        <translation>内存池，逐个内核</translation>
    </message>
    <message>
        <source>What is played</source>
        <translation>播放什么</translation>
    </message>
    <message>
        <source>Of which kernel or graph</source>
        <translation>哪个内核或图</translation>
    </message>
    <message>
        <source>Nothing was compiled here.</source>
        <translation>这里没有编译任何东西。</translation>
    </message>
    <message>
        <source>This entry has no memory plan.</source>
        <translation>此条目没有内存规划。</translation>
    </message>
    <message>
        <source>The engine tells this when the compilation is done.</source>
        <translation>编译完成后，引擎会说明这一点。</translation>
    </message>
    <message>
        <source>No kernel here has loops of its own: libraries do all.</source>
        <translation>这里没有自带循环的内核：全部由库完成。</translation>
    </message>
    <message>
        <source>The engine tells this of what it has compiled: open the script.</source>
        <translation>引擎只讲述自己编译过的内容：请打开脚本。</translation>
    </message>
    <message>
        <source>The engine is not running, so nobody can tell this.</source>
        <translation>引擎没有运行，因此无法讲述。</translation>
    </message>
    <message>
        <source>The engine told no story.</source>
        <translation>引擎没有给出可播放的内容。</translation>
    </message>
    <message>
        <source>This kernel has nothing to do.</source>
        <translation>此内核无事可做。</translation>
    </message>
    <message>
        <source>This joint graph is too large to be watched: %1 nodes, the most is %2.</source>
        <translation>此联合图太大，无法观看：%1 个节点，最多 %2 个。</translation>
    </message>
    <message>
        <source>Every buffer of this graph is an input, an output or lives in registers: the arena is empty.</source>
        <translation>此图的每个缓冲区都是输入、输出或在寄存器中：内存池为空。</translation>
    </message>
    <message>
        <source>reads</source>
        <translation>读取</translation>
    </message>
    <message>
        <source>writes</source>
        <translation>写入</translation>
    </message>
    <message>
        <source>adds up</source>
        <translation>累加</translation>
    </message>
    <message>
        <source>was read</source>
        <translation>曾被读取</translation>
    </message>
    <message>
        <source>was written</source>
        <translation>曾被写入</translation>
    </message>
    <message>
        <source>on the path; in the end, saved</source>
        <translation>在路径上；最后为已保存</translation>
    </message>
    <message>
        <source>price used up</source>
        <translation>价格用尽</translation>
    </message>
    <message>
        <source>the backward&apos;s side</source>
        <translation>反向一侧</translation>
    </message>
    <message>
        <source>How the kernel is run: its loops alone, one statement after the other, or with the vectors, threads and tiles of its schedule</source>
        <translation>内核如何运行：只看循环、逐条语句，或带上其调度的向量、线程和分块</translation>
    </message>
    <message>
        <source>How the kernel is run</source>
        <translation>内核如何运行</translation>
    </message>
    <message>
        <source>As on a GPU</source>
        <translation>如在 GPU 上</translation>
    </message>
    <message>
        <source>As on the CPU</source>
        <translation>如在 CPU 上</translation>
    </message>
    <message>
        <source>Loops alone</source>
        <translation>只看循环</translation>
    </message>
    <message>
        <source>numbers: %1</source>
        <translation>数字：%1</translation>
    </message>
</context>
<context>
    <name>cutaway::views::TimelineView</name>
    <message>
        <source>Timeline</source>
        <translation>时间线</translation>
    </message>
    <message>
        <source>%1
%2, %3 % of all</source>
        <translation>%1
%2，占全部的 %3 %</translation>
    </message>
</context>
<context>
    <name>cutaway::views::TimesPane</name>
    <message>
        <source>Measure the machine</source>
        <translation>测量本机</translation>
    </message>
    <message>
        <source>A call</source>
        <translation>一次调用</translation>
    </message>
    <message>
        <source>Compilation</source>
        <translation>编译</translation>
    </message>
    <message>
        <source>Roofline</source>
        <translation>Roofline</translation>
    </message>
    <message>
        <source>Sweep</source>
        <translation>扫描</translation>
    </message>
    <message>
        <source>Timeline of the compilation</source>
        <translation>编译的时间线</translation>
    </message>
    <message>
        <source>Timeline of a call</source>
        <translation>一次调用的时间线</translation>
    </message>
    <message>
        <source>How fast a large sum reads and writes, how fast a large product multiplies: about a second</source>
        <translation>大规模求和的读写速度和大矩阵乘法的计算速度：约一秒</translation>
    </message>
    <message>
        <source>Measured with %1. </source>
        <translation>测量条件：%1。</translation>
    </message>
    <message>
        <source>This machine: %1, %2/s in a large product</source>
        <translation>本机：%1，大矩阵乘法 %2/s</translation>
    </message>
    <message>
        <source>Not measured: %1</source>
        <translation>未测量：%1</translation>
    </message>
    <message>
        <source>What the machine can do is not measured yet.</source>
        <translation>还没有测量本机的极限。</translation>
    </message>
    <message>
        <source>Nothing was measured yet: F5 measures.</source>
        <translation>还没有测量：按 F5 测量。</translation>
    </message>
    <message>
        <source>No kernel here both computes and moves bytes.</source>
        <translation>这里没有既计算又访存的内核。</translation>
    </message>
    <message>
        <source>This record holds no times.</source>
        <translation>此记录中没有用时。</translation>
    </message>
    <message>
        <source>Nothing was measured yet: F5 measures, and a sweep measures at every size or number of threads.</source>
        <translation>还没有测量：按 F5 测量；扫描则在每个规模或线程数下测量。</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Measure at each of them</source>
        <translation>逐一测量</translation>
    </message>
    <message>
        <source>Measuring…</source>
        <translation>正在测量…</translation>
    </message>
    <message>
        <source>Sweep over</source>
        <translation>扫描对象</translation>
    </message>
    <message>
        <source>over threads</source>
        <translation>按线程数</translation>
    </message>
    <message>
        <source>over sizes</source>
        <translation>按规模</translation>
    </message>
    <message>
        <source>Flame graph</source>
        <translation>火焰图</translation>
    </message>
    <message>
        <source>Flame graph of a call</source>
        <translation>一次调用的火焰图</translation>
    </message>
    <message>
        <source>the text changed meanwhile</source>
        <translation>其间文本被修改</translation>
    </message>
    <message>
        <source>The sweep ended early: %1</source>
        <translation>扫描提前结束：%1</translation>
    </message>
    <message>
        <source>No measurement of what is shown: F5 measures it, and a sweep measures it at every size or number of threads.</source>
        <translation>所显示的内容没有测量结果：按 F5 测量，扫描则在每个大小或线程数下测量。</translation>
    </message>
    <message>
        <source>Cancelled within %1 of %2.</source>
        <translation>已在第 %1 项（共 %2 项）取消。</translation>
    </message>
    <message numerus="yes">
        <source>%n thread(s): %1 of %2</source>
        <translation>
            <numerusform>%n 个线程：第 %1 项，共 %2 项</numerusform>
        </translation>
    </message>
    <message>
        <source>Size %1: %2 of %3</source>
        <translation>规模 %1：第 %2 项，共 %3 项</translation>
    </message>
    <message>
        <source>A trace</source>
        <translation>跟踪</translation>
    </message>
    <message>
        <source>What another program measured, to compare with</source>
        <translation>另一程序的测量结果，用于比较</translation>
    </message>
    <message>
        <source>Open a trace…</source>
        <translation>打开跟踪…</translation>
    </message>
    <message>
        <source>Chrome&apos;s trace events, as torch.profiler, Perfetto and “cutaway bench --trace” write them</source>
        <translation>Chrome 的跟踪事件，由 torch.profiler、Perfetto 和“cutaway bench --trace”写出</translation>
    </message>
    <message>
        <source>Open a trace</source>
        <translation>打开跟踪</translation>
    </message>
    <message>
        <source>Traces (*.json);;All files (*)</source>
        <translation>跟踪 (*.json);;所有文件 (*)</translation>
    </message>
    <message>
        <source>Timeline of a trace</source>
        <translation>跟踪的时间线</translation>
    </message>
    <message>
        <source>No trace is open: what torch.profiler exports can be shown here.</source>
        <translation>没有打开跟踪：可在此显示 torch.profiler 导出的内容。</translation>
    </message>
    <message>
        <source>Reading “%1”…</source>
        <translation>正在读取“%1”…</translation>
    </message>
    <message>
        <source>%1: %2 slices, %3. %4 of them are named as kernels of what is shown and lead there.</source>
        <translation>%1：%2 个时间片，%3。其中 %4 个与所示内容的内核同名，可跳转到内核。</translation>
    </message>
    <message>
        <source>Disturbed: %1.</source>
        <translation>受干扰：%1。</translation>
    </message>
    <message>
        <source>Rings are such times.</source>
        <translation>圆环表示这样的时间。</translation>
    </message>
    <message>
        <source>Why the selected kernel takes its time</source>
        <translation>所选内核为何用这么长时间</translation>
    </message>
    <message>
        <source>timing its schedules…</source>
        <translation>正在给它的各调度计时…</translation>
    </message>
    <message>
        <source>Find a slice</source>
        <translation>查找片段</translation>
    </message>
    <message>
        <source>Part of its name; Return goes to the next, Shift+Return back</source>
        <translation>名称的一部分；Return 跳到下一个，Shift+Return 返回上一个</translation>
    </message>
    <message>
        <source>“%1”: %2 slices, %3 together.</source>
        <translation>“%1”：%2 个片段，共 %3。</translation>
    </message>
</context>
<context>
    <name>cutaway::views::TourMaker</name>
    <message>
        <source>Take what is &amp;shown</source>
        <translation>采用当前显示(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Remove</source>
        <translation>移除(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Up</source>
        <translation>上移(&amp;U)</translation>
    </message>
    <message>
        <source>&amp;Down</source>
        <translation>下移(&amp;D)</translation>
    </message>
    <message>
        <source>Sa&amp;ve…</source>
        <translation>保存(&amp;V)…</translation>
    </message>
    <message>
        <source>&amp;Play it</source>
        <translation>播放(&amp;P)</translation>
    </message>
    <message>
        <source>Make a tour</source>
        <translation>制作导览</translation>
    </message>
    <message>
        <source>Title</source>
        <translation>标题</translation>
    </message>
    <message>
        <source>What it is about</source>
        <translation>内容简介</translation>
    </message>
    <message>
        <source>&amp;Add what is shown</source>
        <translation>添加当前显示(&amp;A)</translation>
    </message>
    <message>
        <source>A step that shows the pane, the stage and the selection of now</source>
        <translation>添加一步，显示当前的面板、阶段和选择</translation>
    </message>
    <message>
        <source>Steps of the tour</source>
        <translation>导览的步骤</translation>
    </message>
    <message>
        <source>Shows</source>
        <translation>显示</translation>
    </message>
    <message>
        <source>Text</source>
        <translation>正文</translation>
    </message>
    <message>
        <source>To try</source>
        <translation>动手尝试</translation>
    </message>
    <message>
        <source>Question</source>
        <translation>问题</translation>
    </message>
    <message>
        <source>Its answer</source>
        <translation>答案</translation>
    </message>
    <message>
        <source>Hint</source>
        <translation>提示</translation>
    </message>
    <message>
        <source>What the record is asked for, so that the answer holds for any script</source>
        <translation>向记录查询的数据，因此答案对任何脚本都成立</translation>
    </message>
    <message>
        <source>(no title)</source>
        <translation>（无标题）</translation>
    </message>
    <message>
        <source>nothing in particular</source>
        <translation>没有特别的对象</translation>
    </message>
    <message>
        <source>Save the tour</source>
        <translation>保存导览</translation>
    </message>
    <message>
        <source>Tours (*.json)</source>
        <translation>导览 (*.json)</translation>
    </message>
    <message>
        <source>Saved %1</source>
        <translation>已保存 %1</translation>
    </message>
    <message>
        <source>Not saved: %1</source>
        <translation>未保存：%1</translation>
    </message>
    <message>
        <source>Speaker notes</source>
        <translation>演讲者备注</translation>
    </message>
    <message>
        <source>What you want to say: shown in a window of its own, not in the tour</source>
        <translation>您想说的话：显示在单独的窗口中，不在导览里</translation>
    </message>
</context>
<context>
    <name>cutaway::views::TourPane</name>
    <message>
        <source>Back</source>
        <translation>上一步</translation>
    </message>
    <message>
        <source>Next</source>
        <translation>下一步</translation>
    </message>
    <message>
        <source>End</source>
        <translation>结束</translation>
    </message>
    <message>
        <source>Tour</source>
        <translation>导览</translation>
    </message>
    <message>
        <source>Your answer</source>
        <translation>您的答案</translation>
    </message>
    <message>
        <source>Tours lead through the window. Choose one:</source>
        <translation>导览带您了解窗口。请选择：</translation>
    </message>
    <message>
        <source>%1: step %2 of %3</source>
        <translation>%1：第 %2 步，共 %3 步</translation>
    </message>
    <message>
        <source>Done</source>
        <translation>完成</translation>
    </message>
    <message>
        <source>&lt;p&gt;&lt;b&gt;The tour waits.&lt;/b&gt; It is about “%1”, and another file is open now. &lt;a href=&apos;sample:&apos; style=&apos;color:%2&apos;&gt;Open it again&lt;/a&gt;&lt;/p&gt;</source>
        <translation>&lt;p&gt;&lt;b&gt;导览在等待。&lt;/b&gt;它讲的是“%1”，而现在打开的是另一个文件。&lt;a href=&apos;sample:&apos; style=&apos;color:%2&apos;&gt;重新打开&lt;/a&gt;&lt;/p&gt;</translation>
    </message>
    <message>
        <source>&lt;p&gt;&lt;b&gt;This script is edited&lt;/b&gt;: the tour is about what it said at first. &lt;a href=&apos;original:&apos; style=&apos;color:%1&apos;&gt;Take the edits back&lt;/a&gt;&lt;/p&gt;</source>
        <translation>&lt;p&gt;&lt;b&gt;脚本已被修改&lt;/b&gt;：导览讲的是最初的内容。&lt;a href=&apos;original:&apos; style=&apos;color:%1&apos;&gt;撤销修改&lt;/a&gt;&lt;/p&gt;</translation>
    </message>
    <message>
        <source>✓ Done:</source>
        <translation>✓ 完成：</translation>
    </message>
    <message>
        <source>Try:</source>
        <translation>试一试：</translation>
    </message>
    <message>
        <source>Question:</source>
        <translation>问题：</translation>
    </message>
    <message>
        <source>✓ Right: the record says %1.</source>
        <translation>✓ 正确：记录给出的是 %1。</translation>
    </message>
    <message>
        <source>Not quite. Look again.</source>
        <translation>不太对。再看看。</translation>
    </message>
    <message>
        <source>The record does not hold this just now.</source>
        <translation>记录现在没有这个数据。</translation>
    </message>
</context>
<context>
    <name>cutaway::views::WhatIfPane</name>
    <message>
        <source>Take all back</source>
        <translation>全部撤销</translation>
    </message>
    <message>
        <source>Measure</source>
        <translation>测量</translation>
    </message>
    <message>
        <source>Undo the last decision</source>
        <translation>撤销上一个决定</translation>
    </message>
    <message>
        <source>Decide so again</source>
        <translation>再次这样决定</translation>
    </message>
    <message>
        <source>Leave everything to the compiler</source>
        <translation>一切由编译器决定</translation>
    </message>
    <message>
        <source>Measure what is shown now</source>
        <translation>测量当前显示的内容</translation>
    </message>
    <message>
        <source>Every compilation of this text becomes a row here.</source>
        <translation>此文本的每次编译在这里成为一行。</translation>
    </message>
    <message>
        <source>A saved record is not compiled again: there is nothing to compare. Open its script to decide otherwise.</source>
        <translation>已保存的记录不会重新编译，因此没有可比较的内容。要另作决定，请打开它的脚本。</translation>
    </message>
    <message>
        <source>Measure what is shown now, and right after it what the compiler does by itself</source>
        <translation>测量当前显示的内容，紧接着测量编译器自行决定的结果</translation>
    </message>
    <message>
        <source>What changed</source>
        <translation>变化</translation>
    </message>
    <message>
        <source>Compilations</source>
        <translation>各次编译</translation>
    </message>
    <message>
        <source>All attempts</source>
        <translation>全部尝试</translation>
    </message>
    <message>
        <source>Every compilation becomes a row here, below the one that it was made from: edits, sizes, devices, decisions.</source>
        <translation>每次编译在这里成为一行，位于它由之而来的那次之下：编辑、尺寸、设备、决定。</translation>
    </message>
    <message>
        <source>All attempts: every compilation of this document below the one that it was made from, and not only those that differ in what is decided</source>
        <translation>全部尝试：本文档的每次编译都列在它由之而来的那次之下，而不只是决定不同的那些</translation>
    </message>
</context>
<context>
    <name>cutaway::views::Workspace</name>
    <message>
        <source>Drag to move this pane</source>
        <translation>拖动以移动此面板</translation>
    </message>
    <message>
        <source>Float this pane</source>
        <translation>浮动此面板</translation>
    </message>
    <message>
        <source>Close this pane</source>
        <translation>关闭此面板</translation>
    </message>
</context>
</TS>
