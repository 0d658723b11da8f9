<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
<!-- What the compiler says of its decisions: the texts that base::said marks in core. What is filled in is {} in
     its order, else {0}, {1}. test_sentences tells what is missing here. -->
<context>
    <name>Sentences</name>
    <message>
        <source>'{}' contains itself</source>
        <translation>“{}”包含它自身</translation>
    </message>
    <message>
        <source>'{}' decides nothing there; template '{}' knows {}</source>
        <translation>“{}”在那里不决定任何事；模板“{}”认识 {}</translation>
    </message>
    <message>
        <source>'{}' is a running generator</source>
        <translation>“{}”是正在运行的生成器</translation>
    </message>
    <message>
        <source>'{}' is a tensor that was made for real while capturing</source>
        <translation>“{}”是捕获时真实创建的张量</translation>
    </message>
    <message>
        <source>, each with barriers</source>
        <translation>，每轮都有屏障</translation>
    </message>
    <message>
        <source>, returned as well</source>
        <translation>，也被返回</translation>
    </message>
    <message>
        <source>, {} at a time</source>
        <translation>，每次 {} 个</translation>
    </message>
    <message>
        <source>; the last block adds up</source>
        <translation>；最后一个线程块汇总</translation>
    </message>
    <message>
        <source>LAPACK of the CPU</source>
        <translation>CPU 的 LAPACK</translation>
    </message>
    <message>
        <source>a GPU</source>
        <translation>一块 GPU</translation>
    </message>
    <message>
        <source>a block adds to memory, and others would do so again</source>
        <translation>一个线程块向内存累加，其他线程块会重复累加</translation>
    </message>
    <message>
        <source>a block has a part of one row</source>
        <translation>一个线程块只有一行的一部分</translation>
    </message>
    <message>
        <source>a block has one set of rows</source>
        <translation>一个线程块只有一组行</translation>
    </message>
    <message>
        <source>a block has one set of rows: there is none to load ahead</source>
        <translation>一个线程块只有一组行：没有可预先加载的</translation>
    </message>
    <message>
        <source>a block keeps one row in shared memory</source>
        <translation>一个线程块在共享内存中保存一行</translation>
    </message>
    <message>
        <source>a block shares a row and keeps what waits in shared memory</source>
        <translation>一个线程块分担一行，等待的值保存在共享内存中</translation>
    </message>
    <message>
        <source>a block shares a row and reads it again in every pass</source>
        <translation>一个线程块分担一行，每一遍都重新读取</translation>
    </message>
    <message>
        <source>a block turns squares of elements in shared memory</source>
        <translation>线程块在共享内存中转置方块</translation>
    </message>
    <message>
        <source>a change of a view gives a tensor that exists outside the compiled function a gradient</source>
        <translation>对视图的修改使编译函数之外的张量带上梯度</translation>
    </message>
    <message>
        <source>a complex tensor with a memory order of its own is changed in place</source>
        <translation>原地修改了内存次序特殊的复数张量</translation>
    </message>
    <message>
        <source>a constant of the graph</source>
        <translation>图的常量</translation>
    </message>
    <message>
        <source>a generator may be left inside of its try or with</source>
        <translation>生成器可能停留在它的 try 或 with 之内</translation>
    </message>
    <message>
        <source>a gradient of another type is assigned</source>
        <translation>赋值了另一类型的梯度</translation>
    </message>
    <message>
        <source>a graph runs on one GPU: this is on {}, what is before on cuda:{}</source>
        <translation>一个图在一块 GPU 上运行：这里在 {}，之前的在 cuda:{}</translation>
    </message>
    <message>
        <source>a join of many slices of one tensor is one gather</source>
        <translation>同一张量许多切片的拼接是一次 gather</translation>
    </message>
    <message>
        <source>a join of more slices than these becomes a gather</source>
        <translation>切片多于此数的拼接变为一次 gather</translation>
    </message>
    <message>
        <source>a join of more tensors than these becomes a join of joins</source>
        <translation>张量多于此数的拼接变为拼接的拼接</translation>
    </message>
    <message>
        <source>a join of very many tensors becomes a join of joins</source>
        <translation>很多张量的拼接变为拼接的拼接</translation>
    </message>
    <message>
        <source>a later pass needs a running value of an earlier one</source>
        <translation>后一遍需要前一遍的累计值</translation>
    </message>
    <message>
        <source>a layer of fewer tiles of 64 by 64 is too small to fill a GPU</source>
        <translation>64×64 的块少于此数的层太小，填不满 GPU</translation>
    </message>
    <message>
        <source>a library call computes one of both; only sums, products with a number and relu can follow inside it</source>
        <translation>其中一个由库调用计算；其内部只能接加法、与数相乘和 relu</translation>
    </message>
    <message>
        <source>a peak of {}</source>
        <translation>峰值 {}</translation>
    </message>
    <message>
        <source>a product of fewer tiles of 64 by 64 is too small to fill a GPU</source>
        <translation>64×64 的块少于此数的乘积太小，填不满 GPU</translation>
    </message>
    <message>
        <source>a real tensor was made while capturing</source>
        <translation>捕获时创建了真实的张量</translation>
    </message>
    <message>
        <source>a result of the forward, {} in memory anyway</source>
        <translation>前向的结果，反正有 {} 在内存中</translation>
    </message>
    <message>
        <source>a result of {}: {}</source>
        <translation>{} 的一个结果：{}</translation>
    </message>
    <message>
        <source>a row is loops over {}: its axes lie apart</source>
        <translation>一行是对 {} 的循环：它的轴不相邻</translation>
    </message>
    <message>
        <source>a row is one chunk of each thread of a block</source>
        <translation>一行就是线程块中每个线程的一块</translation>
    </message>
    <message>
        <source>a row is one loop or {}, not {}</source>
        <translation>一行是一个循环或 {} 个，不是 {} 个</translation>
    </message>
    <message>
        <source>a row is walked again when it is summed up</source>
        <translation>汇总时要再走一遍该行</translation>
    </message>
    <message>
        <source>a row is {} loops, {} elements in the innermost: {:.0f} values that one loop gathers lie side by side</source>
        <translation>一行是 {} 个循环，最内层 {} 个元素：一个循环收集的 {} 个值彼此相邻</translation>
    </message>
    <message>
        <source>a row or column is reduced: its threads share results</source>
        <translation>有行或列被归约：其线程共享结果</translation>
    </message>
    <message>
        <source>a running value of running values: totals are not known</source>
        <translation>累计值的累计值：总和未知</translation>
    </message>
    <message>
        <source>a tensor is changed in place through {}()</source>
        <translation>通过 {}() 原地修改了张量</translation>
    </message>
    <message>
        <source>a tensor of a script's own class is used</source>
        <translation>使用了脚本自定义类的张量</translation>
    </message>
    <message>
        <source>a tensor that requires a gradient because of requires_grad_() in the compiled function is used outside of it</source>
        <translation>因编译函数中的 requires_grad_() 而需要梯度的张量在函数之外被使用</translation>
    </message>
    <message>
        <source>a tensor that requires a gradient was changed in place and is used again with gradients on</source>
        <translation>需要梯度的张量被原地修改，并在开启梯度时再次使用</translation>
    </message>
    <message>
        <source>a tensor whose elements share memory is changed in place</source>
        <translation>原地修改了元素共享内存的张量</translation>
    </message>
    <message>
        <source>a tensor with a gradient is changed in place without recording it</source>
        <translation>原地修改了带梯度的张量而未记录</translation>
    </message>
    <message>
        <source>a thread has no whole chunk at the row's end: loads ahead would leave the row</source>
        <translation>线程在行尾没有完整的一块：预先加载会越出该行</translation>
    </message>
    <message>
        <source>a thread takes chunks of consecutive elements</source>
        <translation>每个线程取若干块连续的元素</translation>
    </message>
    <message>
        <source>a tree of loops: only processors have text for it</source>
        <translation>循环树：只有处理器有对应的代码</translation>
    </message>
    <message>
        <source>a view is kept of a tensor that exists outside the compiled function and was changed in place</source>
        <translation>保留了编译函数之外且被原地修改过的张量的视图</translation>
    </message>
    <message>
        <source>a view of a tensor that exists outside the compiled function and requires a gradient is changed in place</source>
        <translation>原地修改了编译函数之外且需要梯度的张量的视图</translation>
    </message>
    <message>
        <source>a view of it is read from memory in the backward: recomputing would write and read the same {}</source>
        <translation>反向从内存读取它的视图：重计算也要写和读同样的 {}</translation>
    </message>
    <message>
        <source>a view of {}: no memory, no work</source>
        <translation>{} 的视图：不占内存，没有计算</translation>
    </message>
    <message>
        <source>a view reads it again</source>
        <translation>又有视图读取它</translation>
    </message>
    <message>
        <source>a warp or a block walks a row and combines what runs along it</source>
        <translation>一个 warp 或线程块走一行，并合并沿行累计的值</translation>
    </message>
    <message>
        <source>a {} is made, which has a __del__</source>
        <translation>创建了带 __del__ 的 {}</translation>
    </message>
    <message>
        <source>absolute value of a signed value</source>
        <translation>带符号值的绝对值</translation>
    </message>
    <message>
        <source>accesses of {} elements: {:.1f} us to move {:.0f} bytes ({}), {:.1f} us to compute</source>
        <translation>每次访问 {} 个元素：{} us 搬运 {} 字节（{}），{} us 计算</translation>
    </message>
    <message>
        <source>accesses walk a row as one loop</source>
        <translation>访问把一行当作一个循环</translation>
    </message>
    <message>
        <source>add torch.compile, or define 'model' and 'example_inputs(size)'</source>
        <translation>加上 torch.compile，或定义“model”和“example_inputs(size)”</translation>
    </message>
    <message>
        <source>after all rows</source>
        <translation>在所有行之后</translation>
    </message>
    <message>
        <source>after autograd</source>
        <translation>在自动求导之后</translation>
    </message>
    <message>
        <source>all of its widths are 0</source>
        <translation>它的宽度全为 0</translation>
    </message>
    <message>
        <source>all operands are known</source>
        <translation>所有操作数已知</translation>
    </message>
    <message>
        <source>an argument of the call</source>
        <translation>调用的参数</translation>
    </message>
    <message>
        <source>an earlier value has these elements in these places</source>
        <translation>更早的值在这些位置有这些元素</translation>
    </message>
    <message>
        <source>an object is given up that has a __del__ or a weak reference</source>
        <translation>放弃了带 __del__ 或弱引用的对象</translation>
    </message>
    <message>
        <source>an operand changes nothing: 0 in a sum, 1 in a product, a known condition</source>
        <translation>某个操作数不起作用：和中的 0、积中的 1、已知的条件</translation>
    </message>
    <message>
        <source>an operand is computed by neg</source>
        <translation>某个操作数由 neg 计算</translation>
    </message>
    <message>
        <source>another index</source>
        <translation>索引不同</translation>
    </message>
    <message>
        <source>as_strided() counts a storage_offset from the beginning of a storage that the tensor does not begin</source>
        <translation>as_strided() 的 storage_offset 从存储起点算起，而张量不在那里开始</translation>
    </message>
    <message>
        <source>as_strided() of a tensor with gaps reads memory that no graph has of it</source>
        <translation>对有间隙的张量做 as_strided() 会读取图中没有的内存</translation>
    </message>
    <message>
        <source>asked for</source>
        <translation>按要求</translation>
    </message>
    <message>
        <source>asked for {}, which nothing keeps: the least is {} peak</source>
        <translation>要求{}，但无法做到：峰值最少为 {}</translation>
    </message>
    <message>
        <source>asked for {}, which nothing keeps: the least is {} saved</source>
        <translation>要求{}，但无法做到：最少保存 {}</translation>
    </message>
    <message>
        <source>asked for {}: {} peak</source>
        <translation>要求{}：峰值 {}</translation>
    </message>
    <message>
        <source>asked for {}: {} saved</source>
        <translation>要求{}：保存 {}</translation>
    </message>
    <message>
        <source>asked for: {} saved</source>
        <translation>按要求：保存 {}</translation>
    </message>
    <message>
        <source>assume_constant_result() of a function of a tensor that the graph computes</source>
        <translation>assume_constant_result() 的函数用到了由图计算的张量</translation>
    </message>
    <message>
        <source>attend to nothing</source>
        <translation>不计算注意力</translation>
    </message>
    <message>
        <source>attends with float32 or 16 bits and heads of up to 128 numbers only</source>
        <translation>注意力只支持 float32 或 16 位，且每头至多 128 个数</translation>
    </message>
    <message>
        <source>attention stays apart: {}</source>
        <translation>注意力保持分开：{}</translation>
    </message>
    <message>
        <source>attention: {}</source>
        <translation>注意力：{}</translation>
    </message>
    <message>
        <source>backward() of a torch.autograd.Function changes what exists outside of it, or draws random numbers</source>
        <translation>torch.autograd.Function 的 backward() 修改了外部的东西，或抽取了随机数</translation>
    </message>
    <message>
        <source>backward() of a torch.autograd.Function raises an exception</source>
        <translation>torch.autograd.Function 的 backward() 抛出异常</translation>
    </message>
    <message>
        <source>backward() reaches a leaf that the compiled function made</source>
        <translation>backward() 到达编译函数创建的叶子</translation>
    </message>
    <message>
        <source>backward() reaches a tensor that was computed outside the compiled function</source>
        <translation>backward() 到达在编译函数之外计算的张量</translation>
    </message>
    <message>
        <source>backward() reaches a tensor with hooks</source>
        <translation>backward() 到达带钩子的张量</translation>
    </message>
    <message>
        <source>backward() with create_graph=True leaves a tape behind .grad</source>
        <translation>create_graph=True 的 backward() 在 .grad 之后留下计算带</translation>
    </message>
    <message>
        <source>batch norms, scales and addends behind convolutions and products with frozen weights disappear into these</source>
        <translation>冻结权重的卷积和乘积之后的批归一化、缩放和加数并入其中</translation>
    </message>
    <message>
        <source>before autograd</source>
        <translation>在自动求导之前</translation>
    </message>
    <message>
        <source>before lowering</source>
        <translation>在降级之前</translation>
    </message>
    <message>
        <source>bernoulli() draws by the values of a tensor</source>
        <translation>bernoulli() 按张量的值抽取</translation>
    </message>
    <message>
        <source>beside such stores, loads wait for the computation</source>
        <translation>与这样的存储并行时，加载要等待计算</translation>
    </message>
    <message>
        <source>blocked for square ones</source>
        <translation>分块方式适合方阵</translation>
    </message>
    <message>
        <source>blocked for the caches</source>
        <translation>按缓存分块</translation>
    </message>
    <message>
        <source>blocks of keys</source>
        <translation>按键分块</translation>
    </message>
    <message>
        <source>blocks of {} threads: whole warps of 32, up to 1024</source>
        <translation>每块 {} 个线程：须为 32 的整数倍，至多 1024</translation>
    </message>
    <message>
        <source>both operands are computed by neg</source>
        <translation>两个操作数都由 neg 计算</translation>
    </message>
    <message>
        <source>both operands are one value</source>
        <translation>两个操作数是同一个值</translation>
    </message>
    <message>
        <source>both read {} in one kernel of {}: its {} bytes are read once</source>
        <translation>两者在一个 {} 的内核中读取 {}：它的 {} 字节只读一次</translation>
    </message>
    <message>
        <source>both read {} only since one of them computes a cheap value from it again, in the kernel it had by then</source>
        <translation>两者都读取 {}，只因其中一个从它重算一个便宜的值，那时内核已定</translation>
    </message>
    <message>
        <source>both read {}, but {}</source>
        <translation>两者都读取 {}，但{}</translation>
    </message>
    <message>
        <source>both read {}, but {} is computed by the library from operands in memory</source>
        <translation>两者都读取 {}，但 {} 由库从内存中的操作数计算</translation>
    </message>
    <message>
        <source>by blocks of keys, no weights in memory</source>
        <translation>按键分块，权重不进内存</translation>
    </message>
    <message>
        <source>by blocks of keys, no weights in memory, {}</source>
        <translation>按键分块，权重不进内存，{}</translation>
    </message>
    <message>
        <source>by vectors, {}</source>
        <translation>用向量，{}</translation>
    </message>
    <message>
        <source>call backward() outside the compiled function</source>
        <translation>在编译函数之外调用 backward()</translation>
    </message>
    <message>
        <source>call it</source>
        <translation>调用它</translation>
    </message>
    <message>
        <source>call it on a clone()</source>
        <translation>对 clone() 调用</translation>
    </message>
    <message>
        <source>call it outside the compiled function</source>
        <translation>在编译函数之外调用</translation>
    </message>
    <message>
        <source>call requires_grad_() before the compiled function, or detach() the result</source>
        <translation>在编译函数之前调用 requires_grad_()，或对结果 detach()</translation>
    </message>
    <message>
        <source>chains of constant addends become one addition, with fewer roundings</source>
        <translation>一连串常量加数变为一次加法，舍入更少</translation>
    </message>
    <message>
        <source>change a clone() of it</source>
        <translation>修改它的 clone()</translation>
    </message>
    <message>
        <source>change a clone() of it, or do it outside the compiled function</source>
        <translation>修改它的 clone()，或在编译函数之外进行</translation>
    </message>
    <message>
        <source>change a clone() of it, or do it within torch.no_grad()</source>
        <translation>修改它的 clone()，或在 torch.no_grad() 中进行</translation>
    </message>
    <message>
        <source>change a clone() of the tensor and return it</source>
        <translation>修改张量的 clone() 并返回</translation>
    </message>
    <message>
        <source>change it outside the compiled function</source>
        <translation>在编译函数之外修改</translation>
    </message>
    <message>
        <source>change the tensor itself, or do it outside the compiled function</source>
        <translation>修改张量本身，或在编译函数之外进行</translation>
    </message>
    <message>
        <source>channels innermost for convolutions</source>
        <translation>卷积以通道为最内层</translation>
    </message>
    <message>
        <source>columns are reduced as well: blocks take whole rows</source>
        <translation>列也被归约：线程块取整行</translation>
    </message>
    <message>
        <source>columns in {} parts of {}, for the threads to share</source>
        <translation>列分为 {} 份，每份 {}，由线程分担</translation>
    </message>
    <message>
        <source>compile the parts of each GPU as functions of their own</source>
        <translation>把每块 GPU 的部分编译成各自的函数</translation>
    </message>
    <message>
        <source>composite operations (linear, layer_norm, cross_entropy) become ATen's differentiable ones</source>
        <translation>复合算子（linear、layer_norm、cross_entropy）变为 ATen 的可微算子</translation>
    </message>
    <message>
        <source>compute gradients outside the compiled function there</source>
        <translation>那里请在编译函数之外计算梯度</translation>
    </message>
    <message>
        <source>compute in the operands' dtype, which is only stored</source>
        <translation>按操作数的类型计算，而该类型只用于存储</translation>
    </message>
    <message>
        <source>compute it in it, or call backward() outside</source>
        <translation>在其中计算，或在外面调用 backward()</translation>
    </message>
    <message>
        <source>compute it in the function, or ask for the gradient outside</source>
        <translation>在函数中计算，或在外面求梯度</translation>
    </message>
    <message>
        <source>compute them in it, or ask for the gradient outside</source>
        <translation>在其中计算，或在外面求梯度</translation>
    </message>
    <message>
        <source>computes attention only</source>
        <translation>只计算注意力</translation>
    </message>
    <message>
        <source>computes convolutions only</source>
        <translation>只计算卷积</translation>
    </message>
    <message>
        <source>computes float32 only</source>
        <translation>只计算 float32</translation>
    </message>
    <message>
        <source>computes matrix products and convolutions of one tap only</source>
        <translation>只计算矩阵乘和单点卷积</translation>
    </message>
    <message>
        <source>computes matrix products only</source>
        <translation>只计算矩阵乘</translation>
    </message>
    <message>
        <source>constants folded</source>
        <translation>折叠常量</translation>
    </message>
    <message>
        <source>constants of a chain combined</source>
        <translation>合并一条链上的常量</translation>
    </message>
    <message>
        <source>conversion that changes nothing</source>
        <translation>不改变任何东西的转换</translation>
    </message>
    <message>
        <source>convolutions on the CPU and what follows them compute with the channels innermost</source>
        <translation>CPU 上的卷积及其后续以通道为最内层计算</translation>
    </message>
    <message>
        <source>convolves floating-point numbers only</source>
        <translation>只对浮点数做卷积</translation>
    </message>
    <message>
        <source>copied to the CPU and back</source>
        <translation>复制到 CPU 再复制回来</translation>
    </message>
    <message>
        <source>copies of {:.0f} bytes in all: {:.0f} is the most</source>
        <translation>副本共 {} 字节：至多 {}</translation>
    </message>
    <message>
        <source>copy that nobody can tell apart</source>
        <translation>无人能分辨的复制</translation>
    </message>
    <message>
        <source>cut here: weight {} (distance {} from the backward, {})</source>
        <translation>在此切割：权重 {}（距反向 {}，{}）</translation>
    </message>
    <message>
        <source>depends on no input: made again, nothing read</source>
        <translation>不依赖任何输入：重新生成，不需读取</translation>
    </message>
    <message>
        <source>detach_() changes a tensor in place</source>
        <translation>detach_() 原地修改张量</translation>
    </message>
    <message>
        <source>detect_anomaly() looks at every gradient</source>
        <translation>detect_anomaly() 要查看每个梯度</translation>
    </message>
    <message>
        <source>devices</source>
        <translation>设备</translation>
    </message>
    <message>
        <source>different loops</source>
        <translation>循环不同</translation>
    </message>
    <message>
        <source>different rows</source>
        <translation>行不同</translation>
    </message>
    <message>
        <source>do this outside the compiled function</source>
        <translation>在编译函数之外做这件事</translation>
    </message>
    <message>
        <source>draw outside the compiled function</source>
        <translation>在编译函数之外抽取</translation>
    </message>
    <message>
        <source>draw outside the compiled function, or with torch's functions</source>
        <translation>请在编译函数之外取随机数，或使用 torch 的函数</translation>
    </message>
    <message>
        <source>each thread looks at all {:.0f} elements and does those of its places</source>
        <translation>每个线程查看全部 {} 个元素，只做属于自己位置的</translation>
    </message>
    <message>
        <source>each thread looks at all {:.0f} rows and does those of its places</source>
        <translation>每个线程查看全部 {} 行，只做属于自己位置的</translation>
    </message>
    <message>
        <source>elements are added at computed places</source>
        <translation>元素累加到计算出的位置</translation>
    </message>
    <message>
        <source>elements that are sorted are done one at a time: vector 1</source>
        <translation>排序的元素逐个处理：vector 1</translation>
    </message>
    <message>
        <source>empty</source>
        <translation>空</translation>
    </message>
    <message>
        <source>ends a chain of more than 100 operations that would all be recomputed; {} saved</source>
        <translation>结束一条超过 100 个算子的链，否则全要重计算；保存 {}</translation>
    </message>
    <message>
        <source>epilogue</source>
        <translation>尾处理</translation>
    </message>
    <message>
        <source>equal calls with equal arguments are computed once</source>
        <translation>参数相同的相同调用只计算一次</translation>
    </message>
    <message>
        <source>equal operands</source>
        <translation>操作数相同</translation>
    </message>
    <message>
        <source>every access is contiguous: one loop of {} elements</source>
        <translation>所有访问都连续：{} 个元素的一个循环</translation>
    </message>
    <message>
        <source>everything is reduced: blocks share results</source>
        <translation>全部被归约：线程块共享结果</translation>
    </message>
    <message>
        <source>expand of expand</source>
        <translation>expand 的 expand</translation>
    </message>
    <message>
        <source>export a model that does more than to give what it is given</source>
        <translation>请导出一个不只是原样返回输入的模型</translation>
    </message>
    <message>
        <source>factors and solves only</source>
        <translation>只做分解和求解</translation>
    </message>
    <message>
        <source>fill a whole one</source>
        <translation>填充整个张量</translation>
    </message>
    <message>
        <source>float32 in full precision</source>
        <translation>完整精度的 float32</translation>
    </message>
    <message>
        <source>float32 rounded to TF32</source>
        <translation>float32 舍入为 TF32</translation>
    </message>
    <message>
        <source>folded into frozen weights</source>
        <translation>并入冻结的权重</translation>
    </message>
    <message>
        <source>follows its row</source>
        <translation>跟随它的行</translation>
    </message>
    <message>
        <source>from memory</source>
        <translation>来自内存</translation>
    </message>
    <message>
        <source>full precision</source>
        <translation>完整精度</translation>
    </message>
    <message>
        <source>fusion is off: one kernel for each buffer</source>
        <translation>融合已关闭：每个缓冲区一个内核</translation>
    </message>
    <message>
        <source>generated for the call, any dtype and strides</source>
        <translation>为该调用生成，任意类型和步幅</translation>
    </message>
    <message>
        <source>generated for the call, any dtype and strides, {}</source>
        <translation>为该调用生成，任意类型和步幅，{}</translation>
    </message>
    <message>
        <source>generated kernel</source>
        <translation>生成的内核</translation>
    </message>
    <message>
        <source>give it the inputs of the compiled function, or what is known without them</source>
        <translation>请给它编译函数的输入，或不依赖输入即已知的内容</translation>
    </message>
    <message>
        <source>give it the sizes, the dtype and the device of the tensor</source>
        <translation>给它与张量相同的尺寸、类型和设备</translation>
    </message>
    <message>
        <source>give the compiled function x.as_subclass(torch.Tensor)</source>
        <translation>给编译函数传入 x.as_subclass(torch.Tensor)</translation>
    </message>
    <message>
        <source>gives its place to {} (first written by kernel {})</source>
        <translation>把位置让给 {}（最早由内核 {} 写入）</translation>
    </message>
    <message>
        <source>gradients of a value used more than once are added</source>
        <translation>多次使用的值的梯度相加</translation>
    </message>
    <message>
        <source>groups of {} of {} blocks</source>
        <translation>每组 {} 个，共 {} 个线程块</translation>
    </message>
    <message>
        <source>has no fast way for these sizes and strides</source>
        <translation>对这些尺寸和步幅没有快速方法</translation>
    </message>
    <message>
        <source>has no linear algebra</source>
        <translation>没有线性代数</translation>
    </message>
    <message>
        <source>has nothing that multiplies {} here</source>
        <translation>在这里没有能乘 {} 的指令</translation>
    </message>
    <message>
        <source>has nothing to convolve</source>
        <translation>没有可卷积的</translation>
    </message>
    <message>
        <source>has nothing to multiply</source>
        <translation>没有可相乘的</translation>
    </message>
    <message>
        <source>have no linear algebra</source>
        <translation>没有线性代数</translation>
    </message>
    <message>
        <source>how long one call may be predicted to take, in percent of what it replaces</source>
        <translation>一次调用的预测时间最多可占被替换部分的百分之几</translation>
    </message>
    <message>
        <source>how many rows there are is not known</source>
        <translation>行数未知</translation>
    </message>
    <message>
        <source>in a core's cache</source>
        <translation>在核心的缓存中</translation>
    </message>
    <message>
        <source>in calls of less than {} elements, one thread</source>
        <translation>少于 {} 个元素的调用用一个线程</translation>
    </message>
    <message>
        <source>in float32</source>
        <translation>以 float32</translation>
    </message>
    <message>
        <source>in memory anyway</source>
        <translation>反正在内存中</translation>
    </message>
    <message>
        <source>in the cache</source>
        <translation>在缓存中</translation>
    </message>
    <message>
        <source>in the last cache</source>
        <translation>在最末级缓存中</translation>
    </message>
    <message>
        <source>in the memory of {}, which it adds to</source>
        <translation>在 {} 的内存中，并累加到它</translation>
    </message>
    <message>
        <source>in the place of {}, which its kernel reads last</source>
        <translation>在 {} 的位置，它的内核最后读取那里</translation>
    </message>
    <message>
        <source>in tiles, {}</source>
        <translation>用分块，{}</translation>
    </message>
    <message>
        <source>inner loop of {} elements: most accesses walk it with stride 1</source>
        <translation>内层循环 {} 个元素：多数访问以步幅 1 走过</translation>
    </message>
    <message>
        <source>an input that the call changes in place: {} copied</source>
        <translation>此调用就地修改的输入：复制 {}</translation>
    </message>
    <message>
        <source>input of the forward graph: kept alive at no cost{}</source>
        <translation>前向图的输入：保留它没有代价{}</translation>
    </message>
    <message>
        <source>it calls {}, whose record decomposes it {}</source>
        <translation>它调用 {0}，其条目规定{1}分解</translation>
    </message>
    <message>
        <source>it combines a product with frozen weights, which nothing else reads, and a number or frozen values of each channel</source>
        <translation>它把只在此读取的、带冻结权重的乘积与一个数或各通道的冻结值结合</translation>
    </message>
    <message>
        <source>it ends softmax(q k^T) v, and one call was asked for, slower or not</source>
        <translation>它是 softmax(q k^T) v 的末尾，而且要求合为一次调用，不论是否更慢</translation>
    </message>
    <message>
        <source>it ends softmax(q k^T) v, and one call is predicted to be faster</source>
        <translation>它结束 softmax(q k^T) v，预测一次调用更快</translation>
    </message>
    <message>
        <source>it has one column, and the graph computes the matrix for it alone</source>
        <translation>它只有一列，且图只为它计算该矩阵</translation>
    </message>
    <message>
        <source>it is a convolution whose image is row-major</source>
        <translation>它是图像按行优先存放的卷积</translation>
    </message>
    <message>
        <source>it is the same operation of the same arguments as {}</source>
        <translation>它与 {} 是同一算子、同样的参数</translation>
    </message>
    <message>
        <source>it joins many slices of one tensor</source>
        <translation>它拼接同一张量的许多切片</translation>
    </message>
    <message>
        <source>it joins neighbouring slices of one value, in order</source>
        <translation>它按顺序拼接同一个值的相邻切片</translation>
    </message>
    <message>
        <source>it joins slices that are neighbours, or joins</source>
        <translation>它拼接相邻的切片或拼接结果</translation>
    </message>
    <message>
        <source>it joins {} tensors, more than {}</source>
        <translation>它拼接 {} 个张量，超过 {} 个</translation>
    </message>
    <message>
        <source>it reads a value that lies otherwise now</source>
        <translation>它读取的值现在布局不同</translation>
    </message>
    <message>
        <source>it reads one piece of a join only</source>
        <translation>它只读取拼接的一段</translation>
    </message>
    <message>
        <source>it reads what one store has written, or what none of them has</source>
        <translation>它读取某次存储写入的，或都没有写入的</translation>
    </message>
    <message>
        <source>it stores along one dimension, as its operand does</source>
        <translation>它与其操作数一样沿一维存储</translation>
    </message>
    <message>
        <source>it sums along the dimension in which a tensor is one-hot</source>
        <translation>它沿张量为独热的那一维求和</translation>
    </message>
    <message>
        <source>its inner size is 1</source>
        <translation>它的内维为 1</translation>
    </message>
    <message>
        <source>its input is also used before an operation that cannot be fused: recomputing it would need both far apart; {} saved</source>
        <translation>它的输入还在一个不能融合的算子之前使用：重计算会让两处相隔很远；保存 {}</translation>
    </message>
    <message>
        <source>its operand is a view of contiguous values</source>
        <translation>它的操作数是连续值的视图</translation>
    </message>
    <message>
        <source>its operand is computed by exp</source>
        <translation>它的操作数由 exp 计算</translation>
    </message>
    <message>
        <source>its operand is computed by expand</source>
        <translation>它的操作数由 expand 计算</translation>
    </message>
    <message>
        <source>its operand is computed by neg</source>
        <translation>它的操作数由 neg 计算</translation>
    </message>
    <message>
        <source>its operand is computed by neg or abs</source>
        <translation>它的操作数由 neg 或 abs 计算</translation>
    </message>
    <message>
        <source>its operand is computed by permute</source>
        <translation>它的操作数由 permute 计算</translation>
    </message>
    <message>
        <source>its operand is computed by relu</source>
        <translation>它的操作数由 relu 计算</translation>
    </message>
    <message>
        <source>its operand {} has a constant, too, and nothing else reads it</source>
        <translation>它的操作数 {} 也有常量，且没有别处读取它</translation>
    </message>
    <message>
        <source>join of slices of one tensor</source>
        <translation>同一张量切片的拼接</translation>
    </message>
    <message>
        <source>joins and slices of one another</source>
        <translation>相互的拼接与切片</translation>
    </message>
    <message>
        <source>keep it until the compiled function is over</source>
        <translation>保留到编译函数结束</translation>
    </message>
    <message>
        <source>kept apart by your decision</source>
        <translation>按您的决定分开</translation>
    </message>
    <message>
        <source>kernel size</source>
        <translation>内核大小</translation>
    </message>
    <message>
        <source>leave storage_offset out, which then is the tensor's own</source>
        <translation>省略 storage_offset，即用张量自己的</translation>
    </message>
    <message>
        <source>let it give a gradient, or None, for each argument of forward()</source>
        <translation>让它为 forward() 的每个参数给出梯度或 None</translation>
    </message>
    <message>
        <source>let it give gradients only</source>
        <translation>让它只给出梯度</translation>
    </message>
    <message>
        <source>library call</source>
        <translation>库调用</translation>
    </message>
    <message>
        <source>loads ask for what comes next beside streamed stores only</source>
        <translation>只有与流式存储并行时加载才预取后续</translation>
    </message>
    <message>
        <source>loads ask for what lies 2 KiB further on</source>
        <translation>加载预取 2 KiB 之后的数据</translation>
    </message>
    <message>
        <source>log of exp</source>
        <translation>exp 的 log</translation>
    </message>
    <message>
        <source>log(exp(x)), double negations, inverse permutations and chained views disappear</source>
        <translation>log(exp(x))、双重取负、互逆的置换和连续的视图消失</translation>
    </message>
    <message>
        <source>make a list of it first</source>
        <translation>先把它变成列表</translation>
    </message>
    <message>
        <source>make a list of what it gives first</source>
        <translation>先把它给出的变成列表</translation>
    </message>
    <message>
        <source>make it outside the compiled function</source>
        <translation>在编译函数之外创建</translation>
    </message>
    <message>
        <source>make it outside the compiled function and pass it in</source>
        <translation>在编译函数之外创建并传入</translation>
    </message>
    <message>
        <source>make it outside, or use torch.autograd.grad</source>
        <translation>在外面创建，或使用 torch.autograd.grad</translation>
    </message>
    <message>
        <source>make the class outside the compiled function</source>
        <translation>在编译函数之外创建该类</translation>
    </message>
    <message>
        <source>measured {:.2f} us, of {} none is so much faster that it is no accident</source>
        <translation>实测 {} us，{} 个候选中没有明显更快的</translation>
    </message>
    <message>
        <source>measured {:.2f} us, {:.2f} us by {}, which is predicted to be the fastest</source>
        <translation>实测 {0} us，预测最快的 {2} 为 {1} us</translation>
    </message>
    <message>
        <source>more than {} kernels to check for a path between the two, starting at {}</source>
        <translation>检查两者之间是否有路径要看超过 {} 个内核，从 {} 开始</translation>
    </message>
    <message>
        <source>multiplies and convolves only</source>
        <translation>只做乘法和卷积</translation>
    </message>
    <message>
        <source>multiplies floating-point numbers only</source>
        <translation>只乘浮点数</translation>
    </message>
    <message>
        <source>needs all rows</source>
        <translation>需要所有行</translation>
    </message>
    <message>
        <source>needs one side up to 16 or a sum up to 8, along memory</source>
        <translation>需要一边不超过 16 或求和长度不超过 8，且沿内存方向</translation>
    </message>
    <message>
        <source>negated twice</source>
        <translation>两次取负</translation>
    </message>
    <message>
        <source>no accesses lie along another loop than the inner one</source>
        <translation>没有访问沿内层之外的循环</translation>
    </message>
    <message>
        <source>no accesses lie along the rows: tiles turn nothing</source>
        <translation>没有访问沿行方向：分块无可转置</translation>
    </message>
    <message>
        <source>no columns are reduced</source>
        <translation>没有列被归约</translation>
    </message>
    <message>
        <source>no coordinate is computed: there is nothing to sort by</source>
        <translation>没有计算出的坐标：无从排序</translation>
    </message>
    <message>
        <source>no elements</source>
        <translation>没有元素</translation>
    </message>
    <message>
        <source>no threads meet where they add</source>
        <translation>没有线程在累加处相遇</translation>
    </message>
    <message>
        <source>no value that is needed reads it</source>
        <translation>没有需要的值读取它</translation>
    </message>
    <message>
        <source>nobody writes to it or sees that it is the same memory</source>
        <translation>没有谁写它或看出是同一块内存</translation>
    </message>
    <message>
        <source>not taken by time: other programs had the processors all the while</source>
        <translation>未按时间选择：其他程序一直占用处理器</translation>
    </message>
    <message>
        <source>not timed, made-up inputs are refused: {}</source>
        <translation>未计时，虚构的输入被拒绝：{}</translation>
    </message>
    <message>
        <source>nothing is added at computed places</source>
        <translation>没有累加到计算出的位置</translation>
    </message>
    <message>
        <source>nothing is reduced over everything</source>
        <translation>没有对全部元素的归约</translation>
    </message>
    <message>
        <source>nothing reads the product's other rows</source>
        <translation>没有谁读取乘积的其他行</translation>
    </message>
    <message>
        <source>nothing runs along a row</source>
        <translation>没有沿行累计的值</translation>
    </message>
    <message>
        <source>nothing runs along the rows</source>
        <translation>没有沿各行累计的值</translation>
    </message>
    <message>
        <source>nothing waits from one pass to the next</source>
        <translation>没有从一遍等到下一遍的值</translation>
    </message>
    <message>
        <source>nothing was compiled: '{}' is False, and line {} compiles only when it is true</source>
        <translation>没有编译任何内容：“{}”为 False，而第 {} 行只在它为真时编译</translation>
    </message>
    <message>
        <source>nothing was compiled: the exported program computes nothing</source>
        <translation>没有编译任何内容：导出的程序不计算任何东西</translation>
    </message>
    <message>
        <source>nothing was compiled: the script calls no compiled function</source>
        <translation>没有编译任何内容：脚本没有调用已编译的函数</translation>
    </message>
    <message>
        <source>nothing was compiled: what torch.compile makes in line {} is not called</source>
        <translation>没有编译任何内容：第 {} 行 torch.compile 的结果没有被调用</translation>
    </message>
    <message>
        <source>of memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>off</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>offsets beyond 32 bits take the registers of loads ahead</source>
        <translation>超过 32 位的偏移占用了预先加载的寄存器</translation>
    </message>
    <message>
        <source>on the GPU, one matrix after the other</source>
        <translation>在 GPU 上，逐个矩阵</translation>
    </message>
    <message>
        <source>one accumulator</source>
        <translation>同一累加器</translation>
    </message>
    <message>
        <source>one core</source>
        <translation>一个核心</translation>
    </message>
    <message>
        <source>one kernel has {} reductions, the other {}: of more than {} in one kernel the compilation takes longer than a second kernel costs</source>
        <translation>一个内核有 {} 个归约，另一个有 {} 个：一个内核超过 {} 个时，编译时间比多一个内核的代价更大</translation>
    </message>
    <message>
        <source>one kernel has {} values, the other {}: of more than {} in one kernel the compilation takes longer than a second kernel costs</source>
        <translation>一个内核有 {} 个值，另一个有 {} 个：一个内核超过 {} 个时，编译时间比多一个内核的代价更大</translation>
    </message>
    <message>
        <source>one kernel of {} computes both</source>
        <translation>一个 {} 的内核计算两者</translation>
    </message>
    <message>
        <source>one long loop over elements, shared by the threads</source>
        <translation>对元素的一个长循环，由线程分担</translation>
    </message>
    <message>
        <source>one long loop: there are no rows to share</source>
        <translation>一个长循环：没有行可分担</translation>
    </message>
    <message>
        <source>one loops over [{}], the other over [{}]</source>
        <translation>一个在 [{}] 上循环，另一个在 [{}] 上</translation>
    </message>
    <message>
        <source>one matrix after the other, batches shared out</source>
        <translation>逐个矩阵，批次分给线程</translation>
    </message>
    <message>
        <source>one needs {} rows, the other {}, of the same {} elements</source>
        <translation>同样 {2} 个元素，一个需要 {0} 行，另一个需要 {1} 行</translation>
    </message>
    <message>
        <source>one runs on {}, the other on {}</source>
        <translation>一个在 {} 上运行，另一个在 {} 上</translation>
    </message>
    <message>
        <source>one tap: a product of matrices, {}</source>
        <translation>单点：即矩阵乘，{}</translation>
    </message>
    <message>
        <source>one thread has no part: 'rows' walks once</source>
        <translation>一个线程没有分段：“rows”只走一遍</translation>
    </message>
    <message>
        <source>one thread meets nobody</source>
        <translation>一个线程不会与谁相遇</translation>
    </message>
    <message>
        <source>one thread: nobody to wake</source>
        <translation>一个线程：无需唤醒</translation>
    </message>
    <message>
        <source>only columns are reduced: blocks take tiles of them</source>
        <translation>只有列被归约：线程块取其中的小块</translation>
    </message>
    <message>
        <source>only rows of constant extents, in one piece, wait in outputs</source>
        <translation>只有长度固定且完整的行才在输出中等待</translation>
    </message>
    <message>
        <source>operands widened for {}, sums rounded once</source>
        <translation>操作数为 {} 加宽，和只舍入一次</translation>
    </message>
    <message>
        <source>operations and their backwards become pointwise operations, reductions and products</source>
        <translation>算子及其反向变为逐元素算子、归约和乘积</translation>
    </message>
    <message>
        <source>order</source>
        <translation>次序</translation>
    </message>
    <message>
        <source>other layers of the same input leave a GPU idle, too</source>
        <translation>同一输入的其他层也让 GPU 空闲</translation>
    </message>
    <message>
        <source>other products of the same matrix with frozen weights leave a GPU idle, too</source>
        <translation>同一矩阵与冻结权重的其他乘积也让 GPU 空闲</translation>
    </message>
    <message>
        <source>other results need the whole row, or all rows</source>
        <translation>其他结果需要整行或所有行</translation>
    </message>
    <message>
        <source>pad of nothing</source>
        <translation>宽度为零的填充</translation>
    </message>
    <message>
        <source>parts of one row in which values run: their totals, then what runs from those</source>
        <translation>把有累计值的一行分段：先求各段总和，再由此累计</translation>
    </message>
    <message>
        <source>permute of permute</source>
        <translation>permute 的 permute</translation>
    </message>
    <message>
        <source>places are known only after a loop over the row</source>
        <translation>位置要在走完一行后才知道</translation>
    </message>
    <message>
        <source>places differ along a row: rows cannot be sorted</source>
        <translation>位置沿行不同：不能按行排序</translation>
    </message>
    <message>
        <source>places or iterations may be more than 32 bits count</source>
        <translation>位置或迭代次数可能超过 32 位</translation>
    </message>
    <message>
        <source>plain loops for any dtype and strides</source>
        <translation>普通循环，任意类型和步幅</translation>
    </message>
    <message>
        <source>predicted {:.0f} us by blocks of keys, {:.0f} us as products and a softmax, on {}</source>
        <translation>预测按键分块 {} us，作为乘积和 softmax {} us，在{}上</translation>
    </message>
    <message>
        <source>predicted {:.0f} us by blocks of keys, {:.0f} us as products and a softmax, on {}, with the backward</source>
        <translation>预测按键分块 {} us，作为乘积和 softmax {} us，在{}上，含反向</translation>
    </message>
    <message>
        <source>predicted {} against {} of min_cut ({} saved, peak {})</source>
        <translation>预测 {}，min_cut 为 {}（保存 {}，峰值 {}）</translation>
    </message>
    <message>
        <source>product of negated values</source>
        <translation>取负值的乘积</translation>
    </message>
    <message>
        <source>product that sums one number</source>
        <translation>只对一个数求和的乘积</translation>
    </message>
    <message>
        <source>product with one column</source>
        <translation>只有一列的乘积</translation>
    </message>
    <message>
        <source>products of one matrix with frozen weights, each too small to fill a GPU, become one</source>
        <translation>同一矩阵与冻结权重的、各自填不满 GPU 的乘积合为一个</translation>
    </message>
    <message>
        <source>products of one matrix, each too small to fill a GPU</source>
        <translation>同一矩阵的乘积，每个都太小，填不满 GPU</translation>
    </message>
    <message>
        <source>products that sum one number, or end in one column of a computed matrix, become loops</source>
        <translation>只对一个数求和、或以计算出的矩阵的一列结束的乘积变为循环</translation>
    </message>
    <message>
        <source>random numbers are drawn from a generator</source>
        <translation>从生成器取随机数</translation>
    </message>
    <message>
        <source>random: a second draw would give other values; {} saved</source>
        <translation>随机：再抽一次会得到别的值；保存 {}</translation>
    </message>
    <message>
        <source>read .grad outside the compiled function</source>
        <translation>在编译函数之外读取 .grad</translation>
    </message>
    <message>
        <source>read of what was stored</source>
        <translation>读取所存储的</translation>
    </message>
    <message>
        <source>reading the long operand once is what it costs</source>
        <translation>代价就是读一遍较长的操作数</translation>
    </message>
    <message>
        <source>reads nothing new</source>
        <translation>不读新的数据</translation>
    </message>
    <message>
        <source>reads {} for it</source>
        <translation>为此读取 {}</translation>
    </message>
    <message>
        <source>recomputed</source>
        <translation>重计算</translation>
    </message>
    <message>
        <source>recomputed from {} in the fused backward: {}, saves {}</source>
        <translation>在融合的反向中由 {} 重计算：{}，节省 {}</translation>
    </message>
    <message>
        <source>relu of relu</source>
        <translation>relu 的 relu</translation>
    </message>
    <message>
        <source>requires_grad_() of a view of a tensor that was changed in place</source>
        <translation>对被原地修改过的张量的视图调用 requires_grad_()</translation>
    </message>
    <message>
        <source>results keep the script's strides</source>
        <translation>结果保持脚本的步幅</translation>
    </message>
    <message>
        <source>return the new value and assign it outside, or compile a smaller function</source>
        <translation>返回新值并在外面赋值，或编译更小的函数</translation>
    </message>
    <message>
        <source>return values without cycles</source>
        <translation>返回不含循环引用的值</translation>
    </message>
    <message>
        <source>returned to the caller: allocated for each call</source>
        <translation>返回给调用者：每次调用时分配</translation>
    </message>
    <message>
        <source>reuses the place of {} (dead after kernel {})</source>
        <translation>重用 {} 的位置（内核 {} 之后不再需要）</translation>
    </message>
    <message>
        <source>row reduction</source>
        <translation>行归约</translation>
    </message>
    <message>
        <source>rows add nothing up: a block for each set of rows</source>
        <translation>行不做汇总：每组行一个线程块</translation>
    </message>
    <message>
        <source>rows add to what is not theirs, beside values that run along them</source>
        <translation>除沿行累计的值之外，行还向别处累加</translation>
    </message>
    <message>
        <source>rows are as long as the call says: no registers are set aside for their columns</source>
        <translation>行长由调用决定：没有为其列留出寄存器</translation>
    </message>
    <message>
        <source>rows are as long as the call says: what waits between passes may not fit</source>
        <translation>行长由调用决定：各遍之间等待的值可能放不下</translation>
    </message>
    <message>
        <source>rows are digits of several loops</source>
        <translation>行由几个循环组成</translation>
    </message>
    <message>
        <source>rows are reduced, too: their threads lie along them</source>
        <translation>行也被归约：其线程沿行排列</translation>
    </message>
    <message>
        <source>rows do not lie beside each other</source>
        <translation>各行并不相邻</translation>
    </message>
    <message>
        <source>rows of a product are chosen before it, where nothing reads the others</source>
        <translation>没有谁读取其他行时，在乘积之前选行</translation>
    </message>
    <message>
        <source>rows of a product chosen before it</source>
        <translation>在乘积之前选行</translation>
    </message>
    <message>
        <source>rows of {} elements are no multiple of {}</source>
        <translation>{} 个元素的行不是 {} 的倍数</translation>
    </message>
    <message>
        <source>rows of {} elements are not cut into tiles of {}</source>
        <translation>{} 个元素的行不能切成 {} 的小块</translation>
    </message>
    <message>
        <source>rows or columns are reduced as well: their threads share results</source>
        <translation>行或列也被归约：其线程共享结果</translation>
    </message>
    <message>
        <source>rows share nothing: any thread takes any elements</source>
        <translation>各行没有共享：任何线程可取任何元素</translation>
    </message>
    <message>
        <source>rows shared by the threads, vectors along the row</source>
        <translation>行由线程分担，沿行使用向量</translation>
    </message>
    <message>
        <source>rows, columns or several passes: not one long loop</source>
        <translation>有行、列或多遍：不是一个长循环</translation>
    </message>
    <message>
        <source>running value</source>
        <translation>累计值</translation>
    </message>
    <message>
        <source>running value along rows</source>
        <translation>沿行的累计值</translation>
    </message>
    <message>
        <source>running values take {} bytes of shared memory</source>
        <translation>累计值占用 {} 字节共享内存</translation>
    </message>
    <message>
        <source>same code as {}: compiled once</source>
        <translation>与 {} 代码相同：只编译一次</translation>
    </message>
    <message>
        <source>same loops</source>
        <translation>循环相同</translation>
    </message>
    <message>
        <source>scatter</source>
        <translation>散射</translation>
    </message>
    <message>
        <source>see whether its loop ends, or compile a smaller function</source>
        <translation>检查循环是否会结束，或编译更小的函数</translation>
    </message>
    <message>
        <source>several blocks share a row, the last one adds up</source>
        <translation>几个线程块分担一行，最后一个汇总</translation>
    </message>
    <message>
        <source>shared read</source>
        <translation>共享读取</translation>
    </message>
    <message>
        <source>skinny kernels</source>
        <translation>细长矩阵内核</translation>
    </message>
    <message>
        <source>small power</source>
        <translation>小的幂</translation>
    </message>
    <message>
        <source>softmax(q k^T) v becomes one call without a matrix of weights, where that is faster</source>
        <translation>softmax(q k^T) v 在更快时成为一次调用，不产生权重矩阵</translation>
    </message>
    <message>
        <source>something else is stored beside what is added</source>
        <translation>除累加之外还有别的存储</translation>
    </message>
    <message>
        <source>stores bypass the caches: {} bytes written, they hold {}</source>
        <translation>存储绕过缓存：写 {} 字节，缓存容量 {}</translation>
    </message>
    <message>
        <source>stores cover the whole tensor</source>
        <translation>存储覆盖整个张量</translation>
    </message>
    <message>
        <source>stores joined</source>
        <translation>合并存储</translation>
    </message>
    <message>
        <source>sum of a one-hot tensor</source>
        <translation>独热张量的和</translation>
    </message>
    <message>
        <source>sum of {} elements cut into {} rows of {}, one partial sum a thread</source>
        <translation>{} 个元素的和切成 {} 行，每行 {} 个，每线程一个部分和</translation>
    </message>
    <message>
        <source>sum over everything</source>
        <translation>对全部求和</translation>
    </message>
    <message>
        <source>sum over rows</source>
        <translation>对行求和</translation>
    </message>
    <message>
        <source>sum over rows or columns</source>
        <translation>对行或列求和</translation>
    </message>
    <message>
        <source>sum with a negated value</source>
        <translation>与取负的值相加</translation>
    </message>
    <message>
        <source>sums at computed places: each block sorts what goes to its places, and adds in order</source>
        <translation>按计算位置求和：每个线程块把去往其位置的值排序后按序累加</translation>
    </message>
    <message>
        <source>sums at computed places: every element has one thread, which adds in order</source>
        <translation>按计算位置求和：每个元素由一个线程按序累加</translation>
    </message>
    <message>
        <source>sums in {} are rounded in every copy</source>
        <translation>{} 的和在每个副本中都要舍入</translation>
    </message>
    <message>
        <source>sums over everything: blocks take chunks, the last one adds up</source>
        <translation>对全部求和：线程块取若干块，最后一个汇总</translation>
    </message>
    <message>
        <source>sums over rows: a block takes a tile of columns and a share of the rows</source>
        <translation>对行求和：线程块取一块列和一部分行</translation>
    </message>
    <message>
        <source>take the view outside the compiled function</source>
        <translation>在编译函数之外取视图</translation>
    </message>
    <message>
        <source>takes one to three spatial dimensions</source>
        <translation>支持一到三个空间维</translation>
    </message>
    <message>
        <source>tensors may begin anywhere: accesses of {} elements need alignment</source>
        <translation>张量可能从任意处开始：每次 {} 个元素的访问需要对齐</translation>
    </message>
    <message>
        <source>the attribute 'data' of a tensor is assigned</source>
        <translation>给张量的属性“data”赋值</translation>
    </message>
    <message>
        <source>the attribute 'requires_grad' of a tensor is assigned</source>
        <translation>给张量的属性“requires_grad”赋值</translation>
    </message>
    <message>
        <source>the backward does not need {}</source>
        <translation>反向不需要 {}</translation>
    </message>
    <message>
        <source>the best of all {} choices</source>
        <translation>全部 {} 种选择中最好的</translation>
    </message>
    <message>
        <source>the class '{}', which the compiled function makes, is used behind its graph</source>
        <translation>编译函数创建的类“{}”在图之后被使用</translation>
    </message>
    <message>
        <source>the compiled function changes {}, which exists outside it</source>
        <translation>编译函数修改了其外部的 {}</translation>
    </message>
    <message>
        <source>the conversions before it lose nothing</source>
        <translation>之前的转换没有损失</translation>
    </message>
    <message>
        <source>the data of a tensor is changed behind operations that record gradients</source>
        <translation>在记录梯度的算子背后修改了张量的数据</translation>
    </message>
    <message>
        <source>the default partition saves every forward value that the backward uses; {}</source>
        <translation>默认切分保存反向用到的每个前向值；{}</translation>
    </message>
    <message>
        <source>the exponent is 1 or 2</source>
        <translation>指数为 1 或 2</translation>
    </message>
    <message>
        <source>the gradient of a computed tensor is assigned, or one with a tape behind it</source>
        <translation>给计算出的张量的梯度赋值，或其后有计算带</translation>
    </message>
    <message>
        <source>the gradient of a computed tensor is read</source>
        <translation>读取了计算出的张量的梯度</translation>
    </message>
    <message>
        <source>the graph has more than {} operations</source>
        <translation>图有超过 {} 个算子</translation>
    </message>
    <message>
        <source>the kernel of {} needs one of them and feeds the other</source>
        <translation>{} 的内核需要其中一个，又供给另一个</translation>
    </message>
    <message>
        <source>the largest tensor that is computed at compile time, in elements</source>
        <translation>编译时计算的最大张量的元素个数</translation>
    </message>
    <message>
        <source>the loops have {} rows, {} has {} values</source>
        <translation>循环有 {} 行，{} 有 {} 个值</translation>
    </message>
    <message>
        <source>the most pieces of a join that takes in another one</source>
        <translation>吸收另一个拼接的拼接最多有多少片</translation>
    </message>
    <message>
        <source>the most pieces that stores are joined of</source>
        <translation>写入合并成的拼接最多有多少片</translation>
    </message>
    <message>
        <source>the next row is loaded while this one is worked on</source>
        <translation>处理这一行时加载下一行</translation>
    </message>
    <message>
        <source>the row is summed or added to, beside values that run along it</source>
        <translation>除沿行累计的值之外，行还被求和或累加</translation>
    </message>
    <message>
        <source>the row is walked more than once</source>
        <translation>该行要走不止一遍</translation>
    </message>
    <message>
        <source>the sizes of a tensor are changed in place</source>
        <translation>原地修改了张量的尺寸</translation>
    </message>
    <message>
        <source>the sum of a one-hot tensor is the value in its hot place</source>
        <translation>独热张量的和就是其热位置的值</translation>
    </message>
    <message>
        <source>the target has gaps, which copies have not</source>
        <translation>目标有间隙，而副本没有</translation>
    </message>
    <message>
        <source>there are no column sums to put into scratch memory</source>
        <translation>没有要放入暂存内存的列和</translation>
    </message>
    <message>
        <source>there are no elements</source>
        <translation>没有元素</translation>
    </message>
    <message>
        <source>there are rows: a thread takes whole ones</source>
        <translation>有行：线程取整行</translation>
    </message>
    <message>
        <source>there is no inner loop for vectors</source>
        <translation>没有可用向量的内层循环</translation>
    </message>
    <message>
        <source>there is nothing to compute</source>
        <translation>没有要计算的</translation>
    </message>
    <message>
        <source>threads beside each other run down columns, one or several each</source>
        <translation>相邻的线程沿列向下，每个负责一列或几列</translation>
    </message>
    <message>
        <source>threads from a negative number of elements on</source>
        <translation>线程数的起点是负的元素数</translation>
    </message>
    <message>
        <source>threads have one row to share</source>
        <translation>线程只有一行可分担</translation>
    </message>
    <message>
        <source>threads share a row and keep what waits in registers</source>
        <translation>线程分担一行，等待的值保存在寄存器中</translation>
    </message>
    <message>
        <source>threads that meet do one of 'atomics', 'copies' and 'sorted'</source>
        <translation>相遇的线程只能用“atomics”、“copies”、“sorted”之一</translation>
    </message>
    <message>
        <source>tiles of {} elements: their lines are kept until the next rows read on in them</source>
        <translation>{} 个元素的小块：其缓存行保留到后面的行继续读取</translation>
    </message>
    <message>
        <source>tiles of {}: there are those of 32 and 64</source>
        <translation>{} 的小块：只有 32 和 64 的</translation>
    </message>
    <message>
        <source>tiles take {} bytes of shared memory: a block declares up to {}</source>
        <translation>小块占 {} 字节共享内存：线程块至多声明 {}</translation>
    </message>
    <message>
        <source>torch.autograd.grad for tensors that were computed outside the compiled function</source>
        <translation>对编译函数之外计算的张量使用 torch.autograd.grad</translation>
    </message>
    <message>
        <source>torch.autograd.grad of a tensor that was computed outside the compiled function</source>
        <translation>对编译函数之外计算的张量求 torch.autograd.grad</translation>
    </message>
    <message>
        <source>trained layers of one input, each too small to fill a GPU</source>
        <translation>同一输入的可训练层，每个都太小，填不满 GPU</translation>
    </message>
    <message>
        <source>trained layers of one input, each too small to fill a GPU, become one</source>
        <translation>同一输入的、各自填不满 GPU 的可训练层合为一个</translation>
    </message>
    <message>
        <source>updates never meet: nothing to sort</source>
        <translation>更新从不相遇：无需排序</translation>
    </message>
    <message>
        <source>updates of a place in the order of the program: the same bits in every run</source>
        <translation>同一位置的更新按程序次序：每次运行逐位相同</translation>
    </message>
    <message>
        <source>use torch.autograd.grad, or call backward() outside the compiled function</source>
        <translation>使用 torch.autograd.grad，或在编译函数之外调用 backward()</translation>
    </message>
    <message>
        <source>use x = x.detach()</source>
        <translation>使用 x = x.detach()</translation>
    </message>
    <message>
        <source>use x = x.unsqueeze(...) and the like</source>
        <translation>使用 x = x.unsqueeze(...) 之类</translation>
    </message>
    <message>
        <source>values known at compile time are computed now; x+0, x*1 disappear</source>
        <translation>编译时已知的值现在计算；x+0、x*1 消失</translation>
    </message>
    <message>
        <source>values of {} lanes take {} registers each, and {} are alive at once</source>
        <translation>{} 通道的值每个占 {} 个寄存器，同时有 {} 个存活</translation>
    </message>
    <message>
        <source>values run along rows</source>
        <translation>值沿行累计</translation>
    </message>
    <message>
        <source>values that meet in one place are added in any order, and the same bits are wanted in every run</source>
        <translation>在同一位置相遇的值以任意次序相加，而要求每次运行逐位相同</translation>
    </message>
    <message>
        <source>values that nothing uses are removed</source>
        <translation>移除无人使用的值</translation>
    </message>
    <message>
        <source>vectors of {} elements: there are accesses of 1, 2 and 4</source>
        <translation>{} 个元素的向量：只有 1、2、4 的访问</translation>
    </message>
    <message>
        <source>vectors of {} lanes: a power of two, up to {}</source>
        <translation>{} 通道的向量：须为 2 的幂，至多 {}</translation>
    </message>
    <message>
        <source>vectors of {} lanes: {} bytes of registers, values of {} bytes, {} elements a row: {:.1f} us to compute</source>
        <translation>{} 通道的向量：寄存器 {} 字节，值 {} 字节，每行 {} 个元素：计算 {} us</translation>
    </message>
    <message>
        <source>view of view</source>
        <translation>view 的 view</translation>
    </message>
    <message>
        <source>view sunk below {}</source>
        <translation>视图下沉到 {} 之下</translation>
    </message>
    <message>
        <source>views sink below casts and pointwise calls where views behind them or equal calls then meet</source>
        <translation>视图下沉到类型转换和逐元素调用之下，使其后的视图或相同的调用相遇</translation>
    </message>
    <message>
        <source>views that change nothing</source>
        <translation>不改变任何东西的视图</translation>
    </message>
    <message>
        <source>vjp of {}</source>
        <translation>{} 的 VJP</translation>
    </message>
    <message>
        <source>what backward() had changed before it stopped cannot be taken back</source>
        <translation>backward() 停止前的修改无法撤回</translation>
    </message>
    <message>
        <source>what is cut and joined again is what it was; a slice of a join is a slice of its piece</source>
        <translation>切开又拼回的就是原值；拼接的切片就是其中一段的切片</translation>
    </message>
    <message>
        <source>what is left (var_mean) becomes loops' primitives</source>
        <translation>余下的（var_mean）变为循环的原语</translation>
    </message>
    <message>
        <source>what is written piece by piece is joined once; stores that later ones cover disappear</source>
        <translation>逐段写入的合并为一次；被后来覆盖的存储消失</translation>
    </message>
    <message>
        <source>what nothing uses is removed</source>
        <translation>移除无人使用的</translation>
    </message>
    <message>
        <source>what the instruction had changed before the break cannot be taken back</source>
        <translation>该指令在中断前的修改无法撤回</translation>
    </message>
    <message>
        <source>what the view shows is converted so elsewhere</source>
        <translation>视图所示的在别处也这样转换</translation>
    </message>
    <message>
        <source>what {} is made of cannot be had in the backward</source>
        <translation>{} 所依据的值在反向中无法得到</translation>
    </message>
    <message>
        <source>whole warps walk a row</source>
        <translation>整个 warp 走一行</translation>
    </message>
    <message>
        <source>wide join</source>
        <translation>很宽的拼接</translation>
    </message>
    <message>
        <source>widens products and convolutions of 16-bit numbers only</source>
        <translation>只加宽 16 位数的乘积和卷积</translation>
    </message>
    <message>
        <source>within the budget: {} saved</source>
        <translation>在预算之内：保存 {}</translation>
    </message>
    <message>
        <source>within the budget: {} saved, computing it again takes {} longer</source>
        <translation>在预算之内：保存 {}，重新计算要多花 {}</translation>
    </message>
    <message>
        <source>within {} of the best, costs added up value by value</source>
        <translation>与最好的相差不超过 {}，代价逐值相加</translation>
    </message>
    <message>
        <source>write '{} = True' in line {}</source>
        <translation>在第 {1} 行写“{0} = True”</translation>
    </message>
    <message>
        <source>written extra</source>
        <translation>需额外写出</translation>
    </message>
    <message>
        <source>{:.0f} blocks look at {:.0f} places each: {:.1f} us</source>
        <translation>{} 个线程块各查看 {} 个位置：{} us</translation>
    </message>
    <message>
        <source>{:.0f} threads have columns of their own of {}</source>
        <translation>{} 个线程各有 {} 的列</translation>
    </message>
    <message>
        <source>{:.0f} updates of a block are sorted: {:.1f} us, and added: {:.1f} us</source>
        <translation>每个线程块的 {} 次更新排序：{} us，累加：{} us</translation>
    </message>
    <message>
        <source>{:.0f} updates of an element, one after the other: {:.1f} us; {:.1f} us for the sectors that they touch</source>
        <translation>每个元素 {} 次更新，依次进行：{} us；触及的扇区 {} us</translation>
    </message>
    <message>
        <source>{:.1f} us for a line of {} bytes for every element that lies along {}: {} of them are kept</source>
        <translation>沿 {2} 的每个元素都要一条 {1} 字节的缓存行，共 {0} us：其中保留 {3} 条</translation>
    </message>
    <message>
        <source>{:.1f} us for sectors of which an element each is used: their neighbours lie along {}</source>
        <translation>每个扇区只用一个元素，共 {} us：相邻元素沿 {} 排列</translation>
    </message>
    <message>
        <source>{:.1f} us for {:.0f} atomic updates of {:.0f} places, in any order</source>
        <translation>对 {2} 个位置的 {1} 次原子更新，次序任意，共 {0} us</translation>
    </message>
    <message>
        <source>{:.1f} us to add up the results of {} blocks along the rows{}</source>
        <translation>沿行汇总 {1} 个线程块的结果需 {0} us{2}</translation>
    </message>
    <message>
        <source>{:.1f} us to clear a copy of {:.0f} bytes a thread and to add them up in order</source>
        <translation>每线程清零 {1} 字节的副本并按序汇总需 {0} us</translation>
    </message>
    <message>
        <source>{:.1f} us to compute, {:.1f} us to move {:.0f} bytes, {:.1f} us to wake threads</source>
        <translation>计算 {0} us，搬运 {2} 字节 {1} us，唤醒线程 {3} us</translation>
    </message>
    <message>
        <source>{:.1f} us to move {:.0f} bytes {}</source>
        <translation>搬运 {1} 字节（{2}）需 {0} us</translation>
    </message>
    <message>
        <source>{:.1f} us to sort {:.0f} iterations by place; a place is one thread's, in the order of the program</source>
        <translation>按位置排序 {1} 次迭代需 {0} us；每个位置属于一个线程，按程序次序</translation>
    </message>
    <message>
        <source>{:g} of what min_cut saves, {}</source>
        <translation>min_cut 所保存的 {}，即 {}</translation>
    </message>
    <message>
        <source>{} accumulators: a power of two, up to 16</source>
        <translation>{} 个累加器：须为 2 的幂，至多 16</translation>
    </message>
    <message>
        <source>{} adds at computed places, which no sum over rows or columns can share loops with</source>
        <translation>{} 累加到计算出的位置，对行或列的求和不能与它共用循环</translation>
    </message>
    <message>
        <source>{} adds to all of {}, which must be there before the first update</source>
        <translation>{} 累加到整个 {}，后者须在第一次更新前就绪</translation>
    </message>
    <message>
        <source>{} against {} for {}</source>
        <translation>{0}，相比之下 {2} 为 {1}</translation>
    </message>
    <message>
        <source>{} and {} are results of the same loops</source>
        <translation>{} 和 {} 是同一循环的结果</translation>
    </message>
    <message>
        <source>{} and {} both add at computed places: each shares its elements among the threads</source>
        <translation>{} 和 {} 都累加到计算出的位置：各自把元素分给线程</translation>
    </message>
    <message>
        <source>{} blocks along {} sets of rows</source>
        <translation>{} 个线程块沿 {} 组行</translation>
    </message>
    <message>
        <source>{} blocks for {} chunks of elements</source>
        <translation>{} 个线程块对 {} 块元素</translation>
    </message>
    <message>
        <source>{} blocks of {} threads, {} chunks a thread{}</source>
        <translation>{} 个线程块，每块 {} 个线程，每线程 {} 块{}</translation>
    </message>
    <message>
        <source>{} blocks share a row; {:.1f} us for the last of them to add up what they found</source>
        <translation>{} 个线程块分担一行；最后一个汇总需 {} us</translation>
    </message>
    <message>
        <source>{} blocks that own places: 1 to {}</source>
        <translation>{} 个拥有位置的线程块：1 到 {}</translation>
    </message>
    <message>
        <source>{} blocks, {} at once: {} turns of {:.1f} us</source>
        <translation>{} 个线程块，同时 {} 个：{} 轮，每轮 {} us</translation>
    </message>
    <message>
        <source>{} bytes of every element are read or made again in later passes</source>
        <translation>每个元素有 {} 字节在后面各遍中重新读取或计算</translation>
    </message>
    <message>
        <source>{} bytes of its own</source>
        <translation>自有 {} 字节</translation>
    </message>
    <message>
        <source>{} bytes of shared memory: one block a multiprocessor, which waits at every barrier</source>
        <translation>{} 字节共享内存：每个多处理器一个线程块，在每个屏障处等待</translation>
    </message>
    <message>
        <source>{} bytes of workspace, shared with the program's other calls and kernels</source>
        <translation>{} 字节工作区，与程序的其他调用和内核共用</translation>
    </message>
    <message>
        <source>{} bytes wait between passes; a block has {} of shared memory</source>
        <translation>各遍之间有 {} 字节等待；线程块有 {} 共享内存</translation>
    </message>
    <message>
        <source>{} chunks in flight</source>
        <translation>{} 块在途</translation>
    </message>
    <message>
        <source>{} chunks of a thread in flight, {} blocks of {} threads</source>
        <translation>每线程 {} 块在途，{} 个线程块，每块 {} 个线程</translation>
    </message>
    <message>
        <source>{} chunks of a thread in flight: {:.0f} operations would keep it from asking for the next</source>
        <translation>每线程 {} 块在途：{} 次运算会使它来不及请求下一块</translation>
    </message>
    <message>
        <source>{} columns of {} elements, each in a loop of its own: a running value down columns fixes the loops</source>
        <translation>{} 列，每列 {} 个元素，各自一个循环：沿列的累计值决定了循环</translation>
    </message>
    <message>
        <source>{} computed again in each of {} phases: {:.0f} operations and loads</source>
        <translation>{} 在 {} 个阶段中各重算一次：{} 次运算和加载</translation>
    </message>
    <message>
        <source>{} decomposition</source>
        <translation>{} 的分解</translation>
    </message>
    <message>
        <source>{} decomposition; {}</source>
        <translation>{} 的分解；{}</translation>
    </message>
    <message>
        <source>{} elements</source>
        <translation>{} 个元素</translation>
    </message>
    <message>
        <source>{} elements have no divisor between {} and {}: the sum is one row</source>
        <translation>{} 个元素没有 {} 到 {} 之间的因数：求和为一行</translation>
    </message>
    <message>
        <source>{} has no kernel of its own: it is computed wherever it is read</source>
        <translation>{} 没有自己的内核：在读取它的地方计算</translation>
    </message>
    <message>
        <source>{} has no kernel of its own: whoever reads it computes it again from {}</source>
        <translation>{} 没有自己的内核：读取它的内核由 {} 重新计算</translation>
    </message>
    <message>
        <source>{} has them for itself while it runs, in a block that all calls share</source>
        <translation>{} 运行期间独占，位于所有调用共享的一块内存</translation>
    </message>
    <message>
        <source>{} has them for itself while it runs, in a block that all calls share; at other sizes it is asked again</source>
        <translation>{} 运行期间独占，位于所有调用共享的一块内存；尺寸改变时重新询问</translation>
    </message>
    <message>
        <source>{} in the backward reads it from memory: recomputing would write and read the same {}</source>
        <translation>反向中的 {} 从内存读取它：重计算也要写和读同样的 {}</translation>
    </message>
    <message>
        <source>{} is a reduction: saving {} is cheaper than reading {} again</source>
        <translation>{} 是归约：保存 {} 比重新读取 {} 便宜</translation>
    </message>
    <message>
        <source>{} is a value of the backward</source>
        <translation>{} 是反向的值</translation>
    </message>
    <message>
        <source>{} is a view: it has no memory of its own</source>
        <translation>{} 是视图：没有自己的内存</translation>
    </message>
    <message>
        <source>{} is an input: it is computed by nobody here</source>
        <translation>{} 是输入：这里没有计算它</translation>
    </message>
    <message>
        <source>{} is changed in place before the backward runs</source>
        <translation>{} 在反向运行之前被原地修改</translation>
    </message>
    <message>
        <source>{} is complete only after all its updates; {} reads it</source>
        <translation>{} 在所有更新之后才完整；{} 读取它</translation>
    </message>
    <message>
        <source>{} is complete only after all {} elements; {} reads it for every element</source>
        <translation>{} 在全部 {} 个元素之后才完整；{} 对每个元素都读取它</translation>
    </message>
    <message>
        <source>{} is complete only after all {} rows; {} reads it for every element</source>
        <translation>{} 在全部 {} 行之后才完整；{} 对每个元素都读取它</translation>
    </message>
    <message>
        <source>{} is compute-intensive: saving {} is cheaper than recomputing {}</source>
        <translation>{} 计算量大：保存 {} 比重计算 {} 便宜</translation>
    </message>
    <message>
        <source>{} is computed again where {} reads it: {:.0f} operations for each of {} elements cost less than {} bytes of traffic</source>
        <translation>{0} 在 {1} 读取处重新计算：{3} 个元素各 {2} 次运算，比 {4} 字节的访存便宜</translation>
    </message>
    <message>
        <source>{} is computed by the library from operands in memory</source>
        <translation>{} 由库从内存中的操作数计算</translation>
    </message>
    <message>
        <source>{} is computed inside the library's product</source>
        <translation>{} 在库的乘积之内计算</translation>
    </message>
    <message>
        <source>{} is no tensor that could be saved</source>
        <translation>{} 不是可以保存的张量</translation>
    </message>
    <message>
        <source>{} is not computed twice: it cannot be fused into what reads it; {} saved</source>
        <translation>{} 不计算两次：它不能融入读取它的内核；保存 {}</translation>
    </message>
    <message>
        <source>{} is random: a second draw would give other values</source>
        <translation>{} 是随机的：再抽一次会得到别的值</translation>
    </message>
    <message>
        <source>{} kept for a later phase: computing it again costs {:.0f} operations and loads, keeping it one store and one load</source>
        <translation>{} 为后面的阶段保留：重算需 {} 次运算和加载，保留只需一次存储和一次加载</translation>
    </message>
    <message>
        <source>{} needs another pass, for which {} does not wait</source>
        <translation>{} 需要再走一遍，而 {} 不等它</translation>
    </message>
    <message>
        <source>{} needs the value of a tensor</source>
        <translation>{} 需要张量的值</translation>
    </message>
    <message>
        <source>{} owners in blocks of {} threads</source>
        <translation>{} 个所有者，每块 {} 个线程</translation>
    </message>
    <message>
        <source>{} owners of {} columns</source>
        <translation>{} 个所有者，{} 列</translation>
    </message>
    <message>
        <source>{} parts of a row: 2 to {}</source>
        <translation>一行分 {} 份：2 到 {}</translation>
    </message>
    <message>
        <source>{} parts of the row, each walked twice: {:.1f} us for their totals before</source>
        <translation>行分 {} 份，每份走两遍：先求总和需 {} us</translation>
    </message>
    <message>
        <source>{} parts: 256 at most</source>
        <translation>{} 份：至多 256</translation>
    </message>
    <message>
        <source>{} reads and {} writes lie along {}: tiles of {} x {} in {} bytes of shared memory, {:.2f} lanes an element</source>
        <translation>{} 个读取和 {} 个写入沿 {}：{} x {} 的小块占 {} 字节共享内存，每元素 {} 条通道</translation>
    </message>
    <message>
        <source>{} reads single elements of {}</source>
        <translation>{} 读取 {} 的单个元素</translation>
    </message>
    <message>
        <source>{} reads {} at other places than its own loops; computing it there again would cost {} operations an element</source>
        <translation>{} 在自己循环之外的位置读取 {}；在那里重算每个元素需 {} 次运算</translation>
    </message>
    <message>
        <source>{} registers a value: of {} steps in a row each is done for {} vectors before the next</source>
        <translation>每个值 {} 个寄存器：连续 {} 步中每步先做完 {} 个向量再到下一步</translation>
    </message>
    <message>
        <source>{} registers for the next row, of {}</source>
        <translation>下一行需 {} 个寄存器，共 {} 个</translation>
    </message>
    <message>
        <source>{} registers of a thread for what waits between passes</source>
        <translation>每线程 {} 个寄存器存放各遍之间等待的值</translation>
    </message>
    <message>
        <source>{} registers of each of {} threads for what waits between passes, of {}</source>
        <translation>{1} 个线程各用 {0} 个寄存器存放各遍之间等待的值，共 {2} 个</translation>
    </message>
    <message>
        <source>{} rows beside each other, {} threads for each: {} turns of {:.2f} us, {:.0f} times</source>
        <translation>{} 行并列，每行 {} 个线程：{} 轮，每轮 {} us，{} 次</translation>
    </message>
    <message>
        <source>{} rows of {} elements</source>
        <translation>{} 行，每行 {} 个元素</translation>
    </message>
    <message>
        <source>{} rows of {} elements: a {} fixes the loops</source>
        <translation>{} 行，每行 {} 个元素：{}决定了循环</translation>
    </message>
    <message>
        <source>{} rows one after the other, {} columns: a running value down columns fixes the loops</source>
        <translation>{} 行依次，{} 列：沿列的累计值决定了循环</translation>
    </message>
    <message>
        <source>{} runs after all rows, when {} is gone</source>
        <translation>{} 在所有行之后运行，那时 {} 已不在</translation>
    </message>
    <message>
        <source>{} runs down columns, which no row or sum can share loops with</source>
        <translation>{} 沿列累计，行或求和不能与它共用循环</translation>
    </message>
    <message>
        <source>{} runs the other way along its rows</source>
        <translation>{} 沿行的方向相反</translation>
    </message>
    <message>
        <source>{} threads</source>
        <translation>{} 个线程</translation>
    </message>
    <message>
        <source>{} threads a row in blocks of {}</source>
        <translation>每行 {} 个线程，每块 {} 个</translation>
    </message>
    <message>
        <source>{} threads a row in blocks of {}: a power of two, up to 32, or all</source>
        <translation>每行 {} 个线程，每块 {} 个：须为 2 的幂且至多 32，或全部</translation>
    </message>
    <message>
        <source>{} threads a row, {} rows in a block of {}, {} blocks: {} turns of a block{}</source>
        <translation>每行 {0} 个线程，每块 {2} 个线程处理 {1} 行，{3} 个线程块：每块 {4} 轮{5}</translation>
    </message>
    <message>
        <source>{} threads a row: {} turns of {:.2f} us, {:.0f} times</source>
        <translation>每行 {} 个线程：{} 轮，每轮 {} us，{} 次</translation>
    </message>
    <message>
        <source>{} threads across a tile: up to 32</source>
        <translation>横跨小块的线程 {} 个：至多 32</translation>
    </message>
    <message>
        <source>{} threads do not share a tile of {} in whole rows</source>
        <translation>{} 个线程不能按整行分担 {} 的小块</translation>
    </message>
    <message>
        <source>{} threads do {:.0f} updates each</source>
        <translation>{} 个线程各做 {} 次更新</translation>
    </message>
    <message>
        <source>{} threads look at {:.0f} updates each ({:.0f} us), and do those of their places ({:.0f} us)</source>
        <translation>{} 个线程各查看 {} 次更新（{} us），并做属于自己位置的（{} us）</translation>
    </message>
    <message>
        <source>{} threads: {:.1f} us to wake them</source>
        <translation>{} 个线程：唤醒需 {} us</translation>
    </message>
    <message>
        <source>{} times {:.0f} operations leave the code cache</source>
        <translation>{} 次 {} 个运算超出代码缓存</translation>
    </message>
    <message>
        <source>{}() of a tensor with gaps that was changed in place</source>
        <translation>对被原地修改过的有间隙张量调用 {}()</translation>
    </message>
    <message>
        <source>{}, sums in float32</source>
        <translation>{}，以 float32 求和</translation>
    </message>
    <message>
        <source>{}: {:.2f} us predicted</source>
        <translation>{}：预测 {} us</translation>
    </message>
    <message>
        <source>{}: {:.2f} us predicted, asked for</source>
        <translation>{}：预测 {} us，按要求</translation>
    </message>
    <message>
        <source>{}: {} is written but its {} bytes are not read back</source>
        <translation>{}：{} 被写出，但它的 {} 字节不再读回</translation>
    </message>
    <message>
        <source>{}: {} never reaches memory, which spares writing and reading it, {} bytes</source>
        <translation>{}：{} 不进内存，省去读写它的 {} 字节</translation>
    </message>
    <message>
        <source>{}_() changes a tensor that exists outside the compiled function and requires a gradient</source>
        <translation>{}_() 修改了编译函数之外且需要梯度的张量</translation>
    </message>
    <message>
        <source>{}_() changes a tensor whose gradient does not see it</source>
        <translation>{}_() 修改了一个张量，而其梯度看不到这一修改</translation>
    </message>
    <message>
        <source>{}_() fills a part of a tensor</source>
        <translation>{}_() 填充张量的一部分</translation>
    </message>
    <message>
        <source>{}_() gives a tensor that exists outside the compiled function a gradient</source>
        <translation>{}_() 使编译函数之外的张量带上梯度</translation>
    </message>
</context>
</TS>
