<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
<!-- What is shown but not said in C++: the tours that come along, the table of samples/README.md, the table
     of stages. test_translations tells what is missing here. -->
<context>
    <name>Operations</name>
    <message>
        <source>e to the power of each element</source>
        <translation>各元素以 e 为底的指数</translation>
    </message>
    <message>
        <source>exponential less one, exact near zero</source>
        <translation>指数减一，在零附近也精确</translation>
    </message>
    <message>
        <source>natural logarithm</source>
        <translation>自然对数</translation>
    </message>
    <message>
        <source>logarithm of one plus x, exact near zero</source>
        <translation>1 加 x 的对数，在零附近也精确</translation>
    </message>
    <message>
        <source>square root</source>
        <translation>平方根</translation>
    </message>
    <message>
        <source>reciprocal of the square root</source>
        <translation>平方根的倒数</translation>
    </message>
    <message>
        <source>one divided by each element</source>
        <translation>1 除以各元素</translation>
    </message>
    <message>
        <source>error function</source>
        <translation>误差函数</translation>
    </message>
    <message>
        <source>sine of each element, in radians</source>
        <translation>各元素的正弦（弧度）</translation>
    </message>
    <message>
        <source>cosine of each element, in radians</source>
        <translation>各元素的余弦（弧度）</translation>
    </message>
    <message>
        <source>tangent of each element, in radians</source>
        <translation>各元素的正切（弧度）</translation>
    </message>
    <message>
        <source>hyperbolic tangent</source>
        <translation>双曲正切</translation>
    </message>
    <message>
        <source>logistic function</source>
        <translation>逻辑函数（sigmoid）</translation>
    </message>
    <message>
        <source>sign changed</source>
        <translation>改变符号</translation>
    </message>
    <message>
        <source>absolute value</source>
        <translation>绝对值</translation>
    </message>
    <message>
        <source>-1, 0 or 1 by sign</source>
        <translation>按符号取 -1、0 或 1</translation>
    </message>
    <message>
        <source>each element times itself</source>
        <translation>各元素的平方</translation>
    </message>
    <message>
        <source>next whole number downwards</source>
        <translation>向下取整</translation>
    </message>
    <message>
        <source>next whole number upwards</source>
        <translation>向上取整</translation>
    </message>
    <message>
        <source>nearest whole number, halves to even</source>
        <translation>最近的整数，一半取偶数</translation>
    </message>
    <message>
        <source>fraction dropped</source>
        <translation>去掉小数部分</translation>
    </message>
    <message>
        <source>sum of two operands</source>
        <translation>两个操作数之和</translation>
    </message>
    <message>
        <source>difference of two operands</source>
        <translation>两个操作数之差</translation>
    </message>
    <message>
        <source>difference with the operands exchanged</source>
        <translation>交换操作数后的差</translation>
    </message>
    <message>
        <source>product of two operands</source>
        <translation>两个操作数之积</translation>
    </message>
    <message>
        <source>quotient; integers give floating-point results</source>
        <translation>商；整数也得到浮点结果</translation>
    </message>
    <message>
        <source>quotient, rounded toward zero or downwards on request</source>
        <translation>商，可按要求向零或向下取整</translation>
    </message>
    <message>
        <source>quotient rounded downwards, Python's //</source>
        <translation>向下取整的商，即 Python 的 //</translation>
    </message>
    <message>
        <source>remainder with the divisor's sign, Python's %</source>
        <translation>与除数同号的余数，即 Python 的 %</translation>
    </message>
    <message>
        <source>the larger of two elements; NaN wins</source>
        <translation>两个元素中较大者；NaN 优先</translation>
    </message>
    <message>
        <source>the smaller of two elements; NaN wins</source>
        <translation>两个元素中较小者；NaN 优先</translation>
    </message>
    <message>
        <source>each element raised to a power</source>
        <translation>各元素的幂</translation>
    </message>
    <message>
        <source>inverse cosine</source>
        <translation>反余弦</translation>
    </message>
    <message>
        <source>inverse sine</source>
        <translation>反正弦</translation>
    </message>
    <message>
        <source>inverse tangent</source>
        <translation>反正切</translation>
    </message>
    <message>
        <source>hyperbolic sine</source>
        <translation>双曲正弦</translation>
    </message>
    <message>
        <source>hyperbolic cosine</source>
        <translation>双曲余弦</translation>
    </message>
    <message>
        <source>two to the power of each element</source>
        <translation>2 的各元素次幂</translation>
    </message>
    <message>
        <source>logarithm to base 2</source>
        <translation>以 2 为底的对数</translation>
    </message>
    <message>
        <source>logarithm to base 10</source>
        <translation>以 10 为底的对数</translation>
    </message>
    <message>
        <source>angle of the point (b, a)</source>
        <translation>点 (b, a) 的角度</translation>
    </message>
    <message>
        <source>length of the point (a, b)</source>
        <translation>点 (a, b) 的长度</translation>
    </message>
    <message>
        <source>the tensor itself</source>
        <translation>张量本身</translation>
    </message>
    <message>
        <source>NaN and infinities replaced by numbers</source>
        <translation>以数值替换 NaN 和无穷</translation>
    </message>
    <message>
        <source>complement of the error function</source>
        <translation>互补误差函数</translation>
    </message>
    <message>
        <source>inverse of the error function</source>
        <translation>误差函数的反函数</translation>
    </message>
    <message>
        <source>true where not a number</source>
        <translation>在 NaN 处为真</translation>
    </message>
    <message>
        <source>true where infinite</source>
        <translation>在无穷处为真</translation>
    </message>
    <message>
        <source>true where neither infinite nor NaN</source>
        <translation>在既非无穷也非 NaN 处为真</translation>
    </message>
    <message>
        <source>less than</source>
        <translation>小于</translation>
    </message>
    <message>
        <source>at most</source>
        <translation>小于等于</translation>
    </message>
    <message>
        <source>greater than</source>
        <translation>大于</translation>
    </message>
    <message>
        <source>at least</source>
        <translation>大于等于</translation>
    </message>
    <message>
        <source>equal</source>
        <translation>等于</translation>
    </message>
    <message>
        <source>not equal</source>
        <translation>不等于</translation>
    </message>
    <message>
        <source>true where both are not zero</source>
        <translation>两者都不为零处为真</translation>
    </message>
    <message>
        <source>true where either is not zero</source>
        <translation>任一不为零处为真</translation>
    </message>
    <message>
        <source>true where exactly one is not zero</source>
        <translation>恰有一个不为零处为真</translation>
    </message>
    <message>
        <source>true where zero</source>
        <translation>为零处为真</translation>
    </message>
    <message>
        <source>bits inverted; logical not of bool</source>
        <translation>按位取反；bool 为逻辑非</translation>
    </message>
    <message>
        <source>bitwise and; logical and of bool</source>
        <translation>按位与；bool 为逻辑与</translation>
    </message>
    <message>
        <source>bitwise or; logical or of bool</source>
        <translation>按位或；bool 为逻辑或</translation>
    </message>
    <message>
        <source>values kept within bounds</source>
        <translation>把值限制在界内</translation>
    </message>
    <message>
        <source>one of two values by a condition</source>
        <translation>按条件取两个值之一</translation>
    </message>
    <message>
        <source>a value where a mask is true</source>
        <translation>在掩码为真处取给定的值</translation>
    </message>
    <message>
        <source>sum with a product</source>
        <translation>加上一个乘积</translation>
    </message>
    <message>
        <source>sum with a quotient</source>
        <translation>加上一个商</translation>
    </message>
    <message>
        <source>between two elements</source>
        <translation>两个元素之间的插值</translation>
    </message>
    <message>
        <source>sum of elements; integers add up as int64</source>
        <translation>元素之和；整数以 int64 累加</translation>
    </message>
    <message>
        <source>product of elements</source>
        <translation>元素之积</translation>
    </message>
    <message>
        <source>largest element; NaN wins</source>
        <translation>最大元素；NaN 优先</translation>
    </message>
    <message>
        <source>smallest element; NaN wins</source>
        <translation>最小元素；NaN 优先</translation>
    </message>
    <message>
        <source>position of the first largest element</source>
        <translation>第一个最大元素的位置</translation>
    </message>
    <message>
        <source>position of the first smallest element</source>
        <translation>第一个最小元素的位置</translation>
    </message>
    <message>
        <source>largest elements along a dimension, and where</source>
        <translation>沿一个维度的最大元素及其位置</translation>
    </message>
    <message>
        <source>smallest elements along a dimension, and where</source>
        <translation>沿一个维度的最小元素及其位置</translation>
    </message>
    <message>
        <source>whether some element is not zero</source>
        <translation>是否有元素不为零</translation>
    </message>
    <message>
        <source>whether every element is not zero</source>
        <translation>是否所有元素都不为零</translation>
    </message>
    <message>
        <source>how many elements are not zero</source>
        <translation>不为零的元素个数</translation>
    </message>
    <message>
        <source>arithmetic mean</source>
        <translation>算术平均</translation>
    </message>
    <message>
        <source>variance by two passes</source>
        <translation>两遍计算的方差</translation>
    </message>
    <message>
        <source>standard deviation</source>
        <translation>标准差</translation>
    </message>
    <message>
        <source>variance and mean together</source>
        <translation>方差和均值一起</translation>
    </message>
    <message>
        <source>mean and squared deviations from it in one pass (Welford)</source>
        <translation>一遍计算的均值和离差平方和（Welford）</translation>
    </message>
    <message>
        <source>logarithm of the sum of exponentials, without overflow</source>
        <translation>指数之和的对数，不会溢出</translation>
    </message>
    <message>
        <source>the same elements with other sizes</source>
        <translation>同样的元素，另一种大小</translation>
    </message>
    <message>
        <source>dimensions start to end joined into one</source>
        <translation>把若干维度合成一个</translation>
    </message>
    <message>
        <source>dimensions in another order</source>
        <translation>维度换一种顺序</translation>
    </message>
    <message>
        <source>two dimensions exchanged</source>
        <translation>交换两个维度</translation>
    </message>
    <message>
        <source>transpose of a matrix</source>
        <translation>矩阵转置</translation>
    </message>
    <message>
        <source>a new dimension of size 1</source>
        <translation>一个大小为 1 的新维度</translation>
    </message>
    <message>
        <source>dimensions of size 1 dropped</source>
        <translation>去掉大小为 1 的维度</translation>
    </message>
    <message>
        <source>dimensions of size 1 repeated without copying</source>
        <translation>不复制地重复大小为 1 的维度</translation>
    </message>
    <message>
        <source>a range of one dimension</source>
        <translation>一个维度的一段</translation>
    </message>
    <message>
        <source>zeros with a slice filled in</source>
        <translation>填入一段切片的全零张量</translation>
    </message>
    <message>
        <source>one position of a dimension</source>
        <translation>一个维度的一个位置</translation>
    </message>
    <message>
        <source>the same tensor under another name</source>
        <translation>同一个张量，另一个名字</translation>
    </message>
    <message>
        <source>the same values, cut from the gradient graph</source>
        <translation>同样的值，但与梯度图分离</translation>
    </message>
    <message>
        <source>dimensions backwards</source>
        <translation>维度反向</translation>
    </message>
    <message>
        <source>copies side by side</source>
        <translation>并排的副本</translation>
    </message>
    <message>
        <source>each element several times in a row</source>
        <translation>每个元素连续重复几次</translation>
    </message>
    <message>
        <source>matrix product</source>
        <translation>矩阵乘</translation>
    </message>
    <message>
        <source>a copy on another device</source>
        <translation>复制到另一个设备</translation>
    </message>
    <message>
        <source>a copy, in the memory order of x</source>
        <translation>副本，按 x 的内存顺序</translation>
    </message>
    <message>
        <source>a matrix times a vector</source>
        <translation>矩阵乘向量</translation>
    </message>
    <message>
        <source>a tensor of ones</source>
        <translation>全一张量</translation>
    </message>
    <message>
        <source>a tensor of zeros</source>
        <translation>全零张量</translation>
    </message>
    <message>
        <source>a smooth relu</source>
        <translation>平滑的 relu</translation>
    </message>
    <message>
        <source>batch norm by running statistics</source>
        <translation>用运行统计量的批归一化</translation>
    </message>
    <message>
        <source>convolution</source>
        <translation>卷积</translation>
    </message>
    <message>
        <source>convolution or transposed convolution</source>
        <translation>卷积或转置卷积</translation>
    </message>
    <message>
        <source>elements converted to another dtype</source>
        <translation>元素转换为另一种 dtype</translation>
    </message>
    <message>
        <source>elements picked along a dimension, other dimensions broadcast</source>
        <translation>沿一个维度选取元素，其余维度广播</translation>
    </message>
    <message>
        <source>gradient of a convolution's input</source>
        <translation>卷积输入的梯度</translation>
    </message>
    <message>
        <source>gradient of a convolution's weight</source>
        <translation>卷积权重的梯度</translation>
    </message>
    <message>
        <source>gradient of dropout</source>
        <translation>dropout 的梯度</translation>
    </message>
    <message>
        <source>gradient of embedding</source>
        <translation>embedding 的梯度</translation>
    </message>
    <message>
        <source>gradient of gelu</source>
        <translation>gelu 的梯度</translation>
    </message>
    <message>
        <source>gradient of log_softmax</source>
        <translation>log_softmax 的梯度</translation>
    </message>
    <message>
        <source>gradient of max_pool2d</source>
        <translation>max_pool2d 的梯度</translation>
    </message>
    <message>
        <source>gradient of mse_loss</source>
        <translation>mse_loss 的梯度</translation>
    </message>
    <message>
        <source>gradient of nll_loss</source>
        <translation>nll_loss 的梯度</translation>
    </message>
    <message>
        <source>gradient of relu and threshold</source>
        <translation>relu 和 threshold 的梯度</translation>
    </message>
    <message>
        <source>gradient of softmax</source>
        <translation>softmax 的梯度</translation>
    </message>
    <message>
        <source>gradients of a convolution</source>
        <translation>卷积的各个梯度</translation>
    </message>
    <message>
        <source>gradients of batch norm</source>
        <translation>批归一化的各个梯度</translation>
    </message>
    <message>
        <source>gradients of layer norm</source>
        <translation>层归一化的各个梯度</translation>
    </message>
    <message>
        <source>layer norm with the mean and reciprocal deviation it used</source>
        <translation>层归一化，并给出所用的均值和标准差倒数</translation>
    </message>
    <message>
        <source>linear map of the last dimension</source>
        <translation>最后一维的线性映射</translation>
    </message>
    <message>
        <source>logarithm of softmax along dim</source>
        <translation>沿 dim 的 softmax 的对数</translation>
    </message>
    <message>
        <source>matrix product added to a tensor</source>
        <translation>矩阵乘再加上一个张量</translation>
    </message>
    <message>
        <source>matrix product with broadcast batches</source>
        <translation>批次可广播的矩阵乘</translation>
    </message>
    <message>
        <source>matrix products of a batch</source>
        <translation>一批矩阵乘</translation>
    </message>
    <message>
        <source>negative log-likelihood of the target under softmax; targets are class numbers, or probabilities</source>
        <translation>softmax 下目标的负对数似然；目标是类别编号或概率</translation>
    </message>
    <message>
        <source>normal random numbers</source>
        <translation>正态随机数</translation>
    </message>
    <message>
        <source>ones on the diagonal</source>
        <translation>对角线为一</translation>
    </message>
    <message>
        <source>attention of heads [B, H, L, E] in one call, with each row's logarithm</source>
        <translation>一次调用完成各头 [B, H, L, E] 的注意力，并给出每行的对数</translation>
    </message>
    <message>
        <source>softmax of rows; 0 where all of a row is -inf</source>
        <translation>各行的 softmax；整行为 -inf 时为 0</translation>
    </message>
    <message>
        <source>tensors joined along a dimension</source>
        <translation>沿一个维度拼接张量</translation>
    </message>
    <message>
        <source>tensors joined along a new dimension</source>
        <translation>沿一个新维度堆叠张量</translation>
    </message>
    <message>
        <source>uniform random integers in [low, high)</source>
        <translation>[low, high) 内的均匀随机整数</translation>
    </message>
    <message>
        <source>uniform random numbers in [0, 1)</source>
        <translation>[0, 1) 内的均匀随机数</translation>
    </message>
    <message>
        <source>values averaged by the softmax of query-key products</source>
        <translation>按查询与键之积的 softmax 对值加权平均</translation>
    </message>
    <message>
        <source>one number with another tensor's dtype</source>
        <translation>一个数，dtype 同另一个张量</translation>
    </message>
    <message>
        <source>ones with another tensor's dtype</source>
        <translation>全一，dtype 同另一个张量</translation>
    </message>
</context>
<context>
    <name>Samples</name>
    <message>
        <source>Sequences turned around: a packed bidirectional GRU, additive attention, a decoder with teacher forcing. Encoder and decoder are compiled modules of a module that is not.</source>
        <translation>把序列倒过来：打包的双向 GRU、加性注意力、使用教师强制的解码器。编码器和解码器是已编译的模块，外层模块未编译。</translation>
    </message>
    <message>
        <source>A diagonal state-space model with a parallel scan, whose weights learn to live with four bits.</source>
        <translation>带并行扫描的对角状态空间模型，其权重学会只用四个比特。</translation>
    </message>
    <message>
        <source>SimCLR on small synthetic pictures, with a teacher that follows the student at the side.</source>
        <translation>小型合成图像上的 SimCLR，旁边有一个跟随学生的教师。</translation>
    </message>
    <message>
        <source>the smallest graph where recomputing beats saving: one saved tensor, its input</source>
        <translation>重计算胜过保存的最小的图：只保存一个张量，即它的输入</translation>
    </message>
    <message>
        <source>three pointwise operations become one kernel</source>
        <translation>三个逐元素算子合成一个内核</translation>
    </message>
    <message>
        <source>an unrolled loop, folded by reassociate_constants to one addition</source>
        <translation>展开的循环，由 reassociate_constants 折叠成一次加法</translation>
    </message>
    <message>
        <source>pointwise operations move into a matrix product as its epilogue</source>
        <translation>逐元素算子作为尾处理并入矩阵乘</translation>
    </message>
    <message>
        <source>modules, parameters and guards; a linear layer and its ReLU are one call</source>
        <translation>模块、参数和守卫；线性层及其 ReLU 成为一次调用</translation>
    </message>
    <message>
        <source>joint graph of a network: which activations the backward needs</source>
        <translation>一个网络的联合图：反向需要哪些激活</translation>
    </message>
    <message>
        <source>reductions fused with pointwise work: one kernel each way</source>
        <translation>归约与逐元素计算融合：前向和反向各一个内核</translation>
    </message>
    <message>
        <source>a loss over a large vocabulary; the backward recomputes the softmax</source>
        <translation>大词表上的损失；反向重计算 softmax</translation>
    </message>
    <message>
        <source>a training step with a convolution: library calls and who took them, running statistics as effects</source>
        <translation>含卷积的训练步：库调用及其选择者，作为副作用的滑动统计量</translation>
    </message>
    <message>
        <source>batched products around a fused softmax</source>
        <translation>批量矩阵乘围绕一个融合后的 softmax</translation>
    </message>
    <message>
        <source>BERT: three embeddings, padding masks, post-norm layers, pooler; masked words and next sentence.</source>
        <translation>BERT：三种嵌入、填充掩码、后置归一化层、池化；掩码词与下一句。</translation>
    </message>
    <message>
        <source>ConvNeXt: 7x7 depthwise convolutions, layer norms in both memory layouts, layer scale, AdamW.</source>
        <translation>ConvNeXt：7x7 逐通道卷积、两种内存布局的层归一化、层缩放、AdamW。</translation>
    </message>
    <message>
        <source>DLRM: bags of sparse features, dense features through an MLP, interactions by dot products.</source>
        <translation>DLRM：稀疏特征的嵌入袋、经 MLP 的稠密特征、点积交互。</translation>
    </message>
    <message>
        <source>EfficientNet: MBConv blocks with SiLU and squeeze-excitation, "same" padding, scaled width and depth.</source>
        <translation>EfficientNet：带 SiLU 和挤压激励的 MBConv 块、“same”填充、缩放的宽度与深度。</translation>
    </message>
    <message>
        <source>GAT: attention over the edges of a graph, by index_select, scatter and index_add_.</source>
        <translation>GAT：用 index_select、scatter 和 index_add_ 沿图的边做注意力。</translation>
    </message>
    <message>
        <source>GPT-2: learned positions, fused q, k, v, causal attention, tied embeddings, the whole step compiled.</source>
        <translation>GPT-2：学习的位置、合并的 q、k、v、因果注意力、共享嵌入，整个训练步一起编译。</translation>
    </message>
    <message>
        <source>LLaMA: rotary positions of neighbours or of halves, RMSNorm, SwiGLU, grouped key heads (GQA).</source>
        <translation>LLaMA：相邻或对半的旋转位置、RMSNorm、SwiGLU、分组键头 (GQA)。</translation>
    </message>
    <message>
        <source>LSTM: nn.LSTM over packed sequences and a cell written out, both as a tagger of words.</source>
        <translation>LSTM：作用于打包序列的 nn.LSTM 和手写的单元，都用来给词加标签。</translation>
    </message>
    <message>
        <source>Mamba: a selective scan, step by step and as cumulative sums of logarithms, with a causal convolution.</source>
        <translation>Mamba：选择性扫描，逐步计算和用对数的累积和计算，带因果卷积。</translation>
    </message>
    <message>
        <source>MobileNetV3: depthwise convolutions, inverted residuals, squeeze-excitation, hard swish.</source>
        <translation>MobileNetV3：逐通道卷积、倒残差、挤压激励、hard swish。</translation>
    </message>
    <message>
        <source>ResNet: basic and bottleneck blocks, batch norms whose running statistics are written in the step.</source>
        <translation>ResNet：基本块与瓶颈块，批归一化的滑动统计量在训练步中写入。</translation>
    </message>
    <message>
        <source>Swin: attention in windows that are rolled in every other block, relative position bias by an index table.</source>
        <translation>Swin：窗口注意力，隔块平移窗口，相对位置偏置由索引表取得。</translation>
    </message>
    <message>
        <source>T5: encoder and decoder with bucketed relative position biases, RMS norms, gated GELU, shifted targets.</source>
        <translation>T5：编码器与解码器，分桶的相对位置偏置、RMS 归一化、门控 GELU、右移的目标。</translation>
    </message>
    <message>
        <source>U-Net: pooling down, bilinear or transposed-convolution upsampling, padded joins, dice + cross-entropy loss.</source>
        <translation>U-Net：池化下采样、双线性或转置卷积上采样、填充后拼接、dice + 交叉熵损失。</translation>
    </message>
    <message>
        <source>ViT: patches by a convolution, class token, nn.MultiheadAttention, pre-norm blocks.</source>
        <translation>ViT：用卷积取图块、类别标记、nn.MultiheadAttention、前置归一化块。</translation>
    </message>
    <message>
        <source>Whisper: spectrogram features, a convolutional audio encoder, a text decoder with cross attention and a cache of keys and values kept by forward hooks when it decodes.</source>
        <translation>Whisper：频谱特征、卷积音频编码器、带交叉注意力的文本解码器，解码时由前向钩子保存键值缓存。</translation>
    </message>
    <message>
        <source>A generator and a discriminator, each with its optimizer, on points of a circle.</source>
        <translation>一个生成器和一个判别器，各有自己的优化器，数据是圆上的点。</translation>
    </message>
    <message>
        <source>A character-level GPT in the style of nanoGPT, trained on a small text.</source>
        <translation>nanoGPT 风格的字符级 GPT，在一小段文本上训练。</translation>
    </message>
    <message>
        <source>DCGAN: a generator of transposed convolutions against a convolutional discriminator.</source>
        <translation>DCGAN：由转置卷积构成的生成器对抗卷积判别器。</translation>
    </message>
    <message>
        <source>Denoising diffusion with a small U-Net, an exponential moving average, and sampling.</source>
        <translation>去噪扩散：小型 U-Net、指数滑动平均和采样。</translation>
    </message>
    <message>
        <source>A classifier of synthetic 8x8 "digits": data loaders, dropout, batch norm, schedulers, accuracy.</source>
        <translation>合成的 8x8“数字”分类器：数据加载、dropout、批归一化、学习率调度、准确率。</translation>
    </message>
    <message>
        <source>LLaMA: rotary positions, RMSNorm, SwiGLU, grouped key heads; trained on counting, then asked to go on with a cache of keys and values.</source>
        <translation>LLaMA：旋转位置编码、RMSNorm、SwiGLU、分组键头；学习计数，再借助键值缓存接着数。</translation>
    </message>
    <message>
        <source>A word-level LSTM language model: truncated backpropagation through time, gradient clipping.</source>
        <translation>词级 LSTM 语言模型：截断的时间反向传播、梯度裁剪。</translation>
    </message>
    <message>
        <source>BERT in the style of Hugging Face's transformers: a configuration, embeddings, layers, a pooler, a masked language model with tied weights, on sentences of a small grammar.</source>
        <translation>Hugging Face transformers 风格的 BERT：配置、嵌入、各层、池化，以及共享权重的掩码语言模型，数据是小型语法的句子。</translation>
    </message>
    <message>
        <source>An autograd engine of scalars in plain Python, in the style of micrograd, checked against torch's.</source>
        <translation>micrograd 风格、纯 Python 的标量自动求导引擎，与 torch 的结果对照。</translation>
    </message>
    <message>
        <source>Training in bfloat16 under autocast: products in bfloat16, parameters and their updates in float32, the loss in float32; with a gradient scaler, as float16 on a GPU needs it.</source>
        <translation>autocast 下的 bfloat16 训练：矩阵乘用 bfloat16，参数及其更新用 float32，损失用 float32；带梯度缩放器，GPU 上的 float16 需要它。</translation>
    </message>
    <message>
        <source>A mixture of experts with a softmax gate and a load-balancing loss, on a piecewise function.</source>
        <translation>带 softmax 门控和负载均衡损失的混合专家模型，拟合分段函数。</translation>
    </message>
    <message>
        <source>A character model of names after Bengio et al. 2003, in the style of makemore: everything by hand, then a bigram table for comparison.</source>
        <translation>仿 Bengio 等 2003、makemore 风格的姓名字符模型：一切手写，再与二元字符表比较。</translation>
    </message>
    <message>
        <source>A physics-informed network: the damped oscillator u'' + 2 d u' + w^2 u = 0 from its start values, with derivatives of the network by double backward.</source>
        <translation>物理信息网络：由初值求阻尼振子 u'' + 2 d u' + w^2 u = 0，网络的导数由二次反向得到。</translation>
    </message>
    <message>
        <source>REINFORCE on a corridor: the agent starts in the middle and is rewarded at the right end.</source>
        <translation>走廊上的 REINFORCE：智能体从中间出发，到达右端得到奖励。</translation>
    </message>
    <message>
        <source>A variational autoencoder on synthetic pictures of one bright square each.</source>
        <translation>变分自编码器，数据是各含一个亮方块的合成图片。</translation>
    </message>
    <message>
        <source>A vision transformer written with einops, on images of bars and blobs.</source>
        <translation>用 einops 写的视觉 Transformer，数据是条纹和色块图像。</translation>
    </message>
</context>
<context>
    <name>Stages</name>
    <message>
        <source>Autotuning</source>
        <translation>自动调优</translation>
    </message>
    <message>
        <source>the candidates of every kernel timed, where torch.compile was told to</source>
        <translation>为每个内核的候选调度计时（torch.compile 要求时）</translation>
    </message>
    <message>
        <source>Guards</source>
        <translation>守卫</translation>
    </message>
    <message>
        <source>Captured graph</source>
        <translation>捕获的图</translation>
    </message>
    <message>
        <source>Decomposition</source>
        <translation>分解</translation>
    </message>
    <message>
        <source>Joint graph</source>
        <translation>联合图</translation>
    </message>
    <message>
        <source>Passes</source>
        <translation>Pass</translation>
    </message>
    <message>
        <source>Partition</source>
        <translation>切分</translation>
    </message>
    <message>
        <source>Frozen part</source>
        <translation>冻结部分</translation>
    </message>
    <message>
        <source>Forward graph</source>
        <translation>前向图</translation>
    </message>
    <message>
        <source>Backward graph</source>
        <translation>反向图</translation>
    </message>
    <message>
        <source>Other choices</source>
        <translation>其他选择</translation>
    </message>
    <message>
        <source>Loop IR</source>
        <translation>循环 IR</translation>
    </message>
    <message>
        <source>Kernels</source>
        <translation>内核</translation>
    </message>
    <message>
        <source>Schedules</source>
        <translation>调度</translation>
    </message>
    <message>
        <source>Memory plan</source>
        <translation>内存规划</translation>
    </message>
    <message>
        <source>Kernel texts</source>
        <translation>内核代码</translation>
    </message>
    <message>
        <source>C++</source>
        <translation>C++</translation>
    </message>
    <message>
        <source>CUDA C++</source>
        <translation>CUDA C++</translation>
    </message>
    <message>
        <source>LLVM IR</source>
        <translation>LLVM IR</translation>
    </message>
    <message>
        <source>Assembly</source>
        <translation>汇编</translation>
    </message>
    <message>
        <source>PTX</source>
        <translation>PTX</translation>
    </message>
    <message>
        <source>SASS</source>
        <translation>SASS</translation>
    </message>
    <message>
        <source>Compilation</source>
        <translation>编译</translation>
    </message>
    <message>
        <source>Loading</source>
        <translation>加载</translation>
    </message>
    <message>
        <source>what the capture relied on; when all hold, the entry is valid</source>
        <translation>捕获所依据的条件；全部成立时，条目有效</translation>
    </message>
    <message>
        <source>the operations the function performed, with ATen names</source>
        <translation>函数所执行的算子，用 ATen 名称</translation>
    </message>
    <message>
        <source>composite operations become ATen's differentiable ones</source>
        <translation>复合算子变成 ATen 的可微算子</translation>
    </message>
    <message>
        <source>forward and backward in one graph, from primals and tangents</source>
        <translation>前向和反向在一个图中，由原始输入和切向量得到</translation>
    </message>
    <message>
        <source>every rewrite of a graph: before, after, which rule, how long</source>
        <translation>图的每次改写：之前、之后、所用规则、用时</translation>
    </message>
    <message>
        <source>the minimum cut: which tensors are saved, which are recomputed</source>
        <translation>最小割：哪些张量保存，哪些重计算</translation>
    </message>
    <message>
        <source>what frozen parameters alone give: runs once, and again when one has changed</source>
        <translation>只由冻结参数得到的结果：运行一次，参数改变后再运行</translation>
    </message>
    <message>
        <source>what runs first, and what it hands to the backward graph</source>
        <translation>先运行的部分，以及它交给反向图的值</translation>
    </message>
    <message>
        <source>gradients from saved tensors and tangents</source>
        <translation>由保存的张量和切向量求梯度</translation>
    </message>
    <message>
        <source>what other choices of saving would take in memory and time</source>
        <translation>其他保存方案在内存和时间上的代价</translation>
    </message>
    <message>
        <source>each buffer as a loop nest or a library call</source>
        <translation>每个缓冲区写成循环嵌套或库调用</translation>
    </message>
    <message>
        <source>buffers fused into kernels, with a reason for every pair</source>
        <translation>缓冲区融合成内核，每一对都有原因</translation>
    </message>
    <message>
        <source>ways to run each kernel, with predicted times; the one taken is marked</source>
        <translation>每个内核的运行方式及预测时间；采用的一种有标记</translation>
    </message>
    <message>
        <source>offsets and lifetimes of every intermediate buffer in one arena</source>
        <translation>每个中间缓冲区在内存池中的偏移和存活期</translation>
    </message>
    <message>
        <source>the text of every kernel, in the target's language</source>
        <translation>每个内核以目标语言写出的代码</translation>
    </message>
    <message>
        <source>generated C++ with OpenMP: what is compiled and run on the CPU</source>
        <translation>生成的带 OpenMP 的 C++：在 CPU 上编译并运行</translation>
    </message>
    <message>
        <source>generated CUDA C++ for the same kernels</source>
        <translation>同样的内核生成的 CUDA C++</translation>
    </message>
    <message>
        <source>the C++ text's LLVM IR after optimisation</source>
        <translation>C++ 代码优化之后的 LLVM IR</translation>
    </message>
    <message>
        <source>machine code with the lines of the C++ text</source>
        <translation>机器码及对应的 C++ 代码行</translation>
    </message>
    <message>
        <source>the CUDA text as PTX</source>
        <translation>CUDA 代码的 PTX</translation>
    </message>
    <message>
        <source>the GPU's machine code, by the CUDA toolkit's disassembler</source>
        <translation>GPU 的机器码，由 CUDA 工具包的反汇编器给出</translation>
    </message>
    <message>
        <source>machine code of every text, or what the disk cache holds of it</source>
        <translation>每份代码的机器码，或磁盘缓存中已有的</translation>
    </message>
    <message>
        <source>a flat list of launches over the planned memory</source>
        <translation>在规划好的内存上的一串启动</translation>
    </message>
</context>
<context>
    <name>Tours</name>
    <message>
        <source>Ask first: which of the two cosines must the backward know? Let them guess, then click.</source>
        <translation>先问：反向需要知道两个余弦中的哪一个？让大家猜，然后点击。</translation>
    </message>
    <message>
        <source>Say that nothing has been optimised yet: this is the script, no more.</source>
        <translation>说明此时还没有任何优化：这就是脚本本身。</translation>
    </message>
    <message>
        <source>Follow one crossing edge with the pointer: each of them is memory that stays in use until the backward comes.</source>
        <translation>用指针沿一条跨越的边移动：每一条都是在反向到来之前一直占用的内存。</translation>
    </message>
    <message>
        <source>Drag the budget slider to its ends before you ask: with all the memory nothing is computed again.</source>
        <translation>提问之前把预算滑块拖到两端：内存足够时什么都不必重算。</translation>
    </message>
    <message>
        <source>Close with the rule of thumb: reading from memory costs more than a cosine.</source>
        <translation>最后给出经验法则：从内存读取比算一次余弦更贵。</translation>
    </message>
    <message>
        <source>The cut: what training keeps</source>
        <translation>割：训练保留什么</translation>
    </message>
    <message>
        <source>From four lines of Python to the joint graph, and why one cosine is computed twice.</source>
        <translation>从四行 Python 到联合图，以及为什么有一个余弦算了两次。</translation>
    </message>
    <message>
        <source>The script</source>
        <translation>脚本</translation>
    </message>
    <message>
        <source>Two cosines, and a gradient is asked for. Nothing else is needed: the compiler captures what the function does, writes the backward itself, and cuts the two apart.</source>
        <translation>两个余弦，再要一个梯度，仅此而已：编译器捕获函数所做的事，自己写出反向图，再把两者割开。</translation>
    </message>
    <message>
        <source>Put the cursor on the line of the first cosine: everything that became of it lights up in every pane.</source>
        <translation>把光标放到第一个余弦所在的行：由它产生的一切会在每个面板中亮起。</translation>
    </message>
    <message>
        <source>What was captured</source>
        <translation>捕获了什么</translation>
    </message>
    <message>
        <source>The graph of the forward, just as the script says it. Inputs have round ends, the letter tells what kind of operation a box is.</source>
        <translation>前向的图，与脚本所写的一样。输入的两端是圆的，字母表示方框是哪一类算子。</translation>
    </message>
    <message>
        <source>How many nodes does the captured graph have?</source>
        <translation>捕获的图有多少个节点？</translation>
    </message>
    <message>
        <source>The row below the graph counts them.</source>
        <translation>图下方的一行会统计。</translation>
    </message>
    <message>
        <source>Forward and backward in one</source>
        <translation>前向和反向在一个图中</translation>
    </message>
    <message>
        <source>The joint graph holds the forward on the left, read downwards, and the backward on the right, read upwards. What crosses in between would have to be kept in memory until the backward runs.</source>
        <translation>联合图左侧是前向，自上而下读；右侧是反向，自下而上读。从中间穿过的值必须一直留在内存里，直到反向运行。</translation>
    </message>
    <message>
        <source>Select the node cos_1 with a click or with the arrow keys.</source>
        <translation>用单击或方向键选中节点 cos_1。</translation>
    </message>
    <message>
        <source>The cut</source>
        <translation>割</translation>
    </message>
    <message>
        <source>A minimum cut decides what is saved. Saving a value costs its bytes; what is cheap to compute again from something that is saved anyway is not saved. The dashed boxes on the right are computed again.</source>
        <translation>保存什么由最小割决定。保存一个值的代价是它的字节数；能从已保存的值便宜地重新算出的，就不保存。右侧的虚线框就是重计算的值。</translation>
    </message>
    <message>
        <source>How many values are computed again?</source>
        <translation>有多少个值被重计算？</translation>
    </message>
    <message>
        <source>The tab “Recomputed” below the graph counts them.</source>
        <translation>图下方的“已重计算”标签页会统计。</translation>
    </message>
    <message>
        <source>Why</source>
        <translation>原因</translation>
    </message>
    <message>
        <source>Every decision is kept with its reason. The inspector tells it for whatever is selected, with the bytes and with links to what it mentions.</source>
        <translation>每个决定都连同原因一起保留。无论选中什么，检查器都会说明原因、字节数，并链接到所提到的对象。</translation>
    </message>
    <message>
        <source>How many tensors are saved?</source>
        <translation>保存了多少个张量？</translation>
    </message>
    <message>
        <source>The tab “Saved” of the partition lists them.</source>
        <translation>切分面板的“已保存”标签页列出了它们。</translation>
    </message>
    <message>
        <source>Fusion: many operations, few kernels</source>
        <translation>融合：许多算子，少数内核</translation>
    </message>
    <message>
        <source>Why intermediate values need not reach memory, and which rule keeps operations apart.</source>
        <translation>为什么中间值不必进入内存，又是哪条规则让算子分开。</translation>
    </message>
    <message>
        <source>What is computed</source>
        <translation>计算什么</translation>
    </message>
    <message>
        <source>A layer norm, a gelu and a sum. Run one after the other, each would read its input from memory and write its result back.</source>
        <translation>一个 layer norm、一个 gelu 和一次求和。若逐个运行，每个都要从内存读取输入，再把结果写回。</translation>
    </message>
    <message>
        <source>Smaller operations</source>
        <translation>更小的算子</translation>
    </message>
    <message>
        <source>Before anything is joined, large operations are written as small ones. The forward graph is what the compiler works on.</source>
        <translation>在合并之前，大算子先写成小算子。编译器处理的就是前向图。</translation>
    </message>
    <message>
        <source>How many nodes does the forward graph have?</source>
        <translation>前向图有多少个节点？</translation>
    </message>
    <message>
        <source>Choose “Every node” below the graph; the row counts them.</source>
        <translation>在图下方选择“逐个节点”；该行会统计。</translation>
    </message>
    <message>
        <source>Kernels</source>
        <translation>内核</translation>
    </message>
    <message>
        <source>Operations over the same elements are joined into one kernel: one loop that keeps what lies in between in registers. Buffers that say “registers” never reach memory.</source>
        <translation>作用于相同元素的算子合成一个内核：一个循环，中间结果留在寄存器里。标着“寄存器”的缓冲区从不进入内存。</translation>
    </message>
    <message>
        <source>How many kernels are there in the forward?</source>
        <translation>前向有多少个内核？</translation>
    </message>
    <message>
        <source>The first row of the Kernels pane counts them.</source>
        <translation>内核面板的第一行会统计。</translation>
    </message>
    <message>
        <source>The reasons</source>
        <translation>原因</translation>
    </message>
    <message>
        <source>For every pair that might have been joined there is a verdict with its rule, and the bytes that joining saves. Point at a row to read it.</source>
        <translation>每一对本可合并的缓冲区都有结论、所依据的规则，以及合并省下的字节数。把鼠标移到一行上即可阅读。</translation>
    </message>
    <message>
        <source>Click a kernel, then read its C++ in the Code pane: the loop is all there is.</source>
        <translation>单击一个内核，再到代码面板读它的 C++：全部就是这个循环。</translation>
    </message>
    <message>
        <source>What it brought</source>
        <translation>带来了什么</translation>
    </message>
    <message>
        <source>F5 measures eager against compiled. Bytes moved is where fusion is felt; the error against double precision stands beside it.</source>
        <translation>按 F5 比较 eager 与编译后的性能。融合的效果体现在访存量上；旁边是相对双精度的误差。</translation>
    </message>
    <message>
        <source>Press F5 and compare the two rows.</source>
        <translation>按 F5，比较这两行。</translation>
    </message>
    <message>
        <source>Passes: what the compiler rewrites</source>
        <translation>Pass：编译器改写了什么</translation>
    </message>
    <message>
        <source>Step through the passes and see on the graph what each took out, put in and wrote anew.</source>
        <translation>逐个查看 Pass，在图上看到每个 Pass 去掉、加入和改写了什么。</translation>
    </message>
    <message>
        <source>A row of passes</source>
        <translation>一系列 Pass</translation>
    </message>
    <message>
        <source>Between the graph that was captured and the one that becomes kernels, small passes simplify it. Each is kept as a difference, with its time.</source>
        <translation>从捕获的图到变成内核的图，一系列小 Pass 不断化简。每个 Pass 都以差异的形式连同用时保留下来。</translation>
    </message>
    <message>
        <source>How many passes changed something?</source>
        <translation>有多少个 Pass 做出了改动？</translation>
    </message>
    <message>
        <source>With the box ticked, the list shows only these.</source>
        <translation>勾选复选框后，列表只显示有改动的。</translation>
    </message>
    <message>
        <source>On the graph</source>
        <translation>在图上</translation>
    </message>
    <message>
        <source>The tab “On the graph” shows the graph as a pass left it. What it added is marked +, what it took out −, what it wrote anew ~. Nodes that no pass touches stay where they are.</source>
        <translation>“在图上”标签页显示经过某个 Pass 之后的图。新增的标 +，去掉的标 −，改写的标 ~。没有被触及的节点留在原位。</translation>
    </message>
    <message>
        <source>Step with [ and ] and watch the graph.</source>
        <translation>用 [ 和 ] 逐步查看，观察图的变化。</translation>
    </message>
    <message>
        <source>Where a node came from</source>
        <translation>节点从何而来</translation>
    </message>
    <message>
        <source>A node keeps its name through all passes, so that every line of code can be led back to the script.</source>
        <translation>节点在所有 Pass 中保留名称，因此每一行代码都能追溯到脚本。</translation>
    </message>
    <message>
        <source>How many nodes does the joint graph have in the end?</source>
        <translation>联合图最后有多少个节点？</translation>
    </message>
    <message>
        <source>Choose the stage “joint” in the Graph pane.</source>
        <translation>在图面板中选择阶段“joint”。</translation>
    </message>
    <message>
        <source>Capture: what a guard is</source>
        <translation>捕获：什么是守卫</translation>
    </message>
    <message>
        <source>A thousand additions in a loop become a graph, and a few conditions say when it may be used again.</source>
        <translation>循环中的一千次加法变成一个图，另有几个条件说明何时可以再次使用它。</translation>
    </message>
    <message>
        <source>A loop that is gone</source>
        <translation>消失的循环</translation>
    </message>
    <message>
        <source>The script adds in a Python loop. Capture runs it once with stand-ins for tensors: what is left is one node for each addition, and no loop.</source>
        <translation>脚本在 Python 循环里做加法。捕获时用张量的替身运行一遍：每次加法留下一个节点，循环不再存在。</translation>
    </message>
    <message>
        <source>Add times a thousand</source>
        <translation>加法乘一千</translation>
    </message>
    <message>
        <source>Nodes that are proven to be equal stand in one box: the same operation with the same numbers, each reading the one before. The triangle opens it.</source>
        <translation>被证明相同的节点放在一个方框里：相同的算子、相同的数，每个读取前一个的结果。点三角形可展开。</translation>
    </message>
    <message>
        <source>Open the box with its triangle, and close it again by its head.</source>
        <translation>用三角形展开方框，再点它的标题收起。</translation>
    </message>
    <message>
        <source>The row below the graph counts them; the box hides them, but they count.</source>
        <translation>图下方的一行会统计；方框隐藏了它们，但仍计算在内。</translation>
    </message>
    <message>
        <source>Guards</source>
        <translation>守卫</translation>
    </message>
    <message>
        <source>The graph holds only while what it was made for stays as it was: types, shapes, the values that Python looked at. Each call checks these conditions first.</source>
        <translation>只有当图所依据的东西保持不变时，图才成立：类型、形状、Python 看过的值。每次调用先检查这些条件。</translation>
    </message>
    <message>
        <source>How many guards are there?</source>
        <translation>有多少个守卫？</translation>
    </message>
    <message>
        <source>The table in the Capture pane has a row for each.</source>
        <translation>捕获面板的表格中每个守卫占一行。</translation>
    </message>
    <message>
        <source>Fewer roundings</source>
        <translation>更少的舍入</translation>
    </message>
    <message>
        <source>A pass joins the constants of the chain: a thousand additions become one.</source>
        <translation>有一个 Pass 把链上的常量合并：一千次加法变成一次。</translation>
    </message>
    <message>
        <source>Step with ] to the pass that did it, and leave it out with the button below: the kernel then does all the work.</source>
        <translation>用 ] 走到做这件事的 Pass，再用下方的按钮去掉它：于是内核要做全部的工作。</translation>
    </message>
    <message>
        <source>How many nodes are left in the forward graph?</source>
        <translation>前向图还剩多少个节点？</translation>
    </message>
    <message>
        <source>Choose the stage “forward” in the Graph pane.</source>
        <translation>在图面板中选择阶段“forward”。</translation>
    </message>
    <message>
        <source>Decomposition: softmax in small pieces</source>
        <translation>分解：把 softmax 拆成小块</translation>
    </message>
    <message>
        <source>Attention by hand: one softmax becomes a maximum, a difference, an exponential and a sum, and then one kernel.</source>
        <translation>手写的注意力：一个 softmax 变成求最大值、相减、求指数和求和，再变成一个内核。</translation>
    </message>
    <message>
        <source>Five lines of attention</source>
        <translation>五行注意力</translation>
    </message>
    <message>
        <source>Two products with a softmax in between. The captured graph says just that.</source>
        <translation>两次矩阵乘，中间一个 softmax。捕获的图说的正是这些。</translation>
    </message>
    <message>
        <source>Taken apart</source>
        <translation>拆开</translation>
    </message>
    <message>
        <source>No kernel is written for softmax. Passes take composite operations apart into pointwise operations, reductions and products, which can be fused with what stands around them.</source>
        <translation>没有专门为 softmax 写的内核。各个 Pass 把复合算子拆成逐元素算子、归约和矩阵乘，它们可以与周围的算子融合。</translation>
    </message>
    <message>
        <source>Step with ] and watch what “+” and “−” mark in the changes.</source>
        <translation>按 ] 逐步查看，留意改动中“+”和“−”标出的内容。</translation>
    </message>
    <message>
        <source>Put together</source>
        <translation>合起来</translation>
    </message>
    <message>
        <source>The pieces become one kernel again, this time with whatever else belongs to the same rows.</source>
        <translation>这些小块又成为一个内核，这次连同属于相同行的其他算子一起。</translation>
    </message>
    <message>
        <source>How many kernels does the forward have?</source>
        <translation>前向有多少个内核？</translation>
    </message>
    <message>
        <source>The Kernels pane counts them beside the graph's name.</source>
        <translation>内核面板在图名旁边统计。</translation>
    </message>
    <message>
        <source>The products</source>
        <translation>矩阵乘</translation>
    </message>
    <message>
        <source>Matrix products go to a library where that is faster. The kernel list calls them “matmul”; the reason stands in “Fused or not”.</source>
        <translation>当库更快时，矩阵乘交给库完成。内核列表中称为“matmul”；原因见“是否融合”。</translation>
    </message>
    <message>
        <source>Select a pair that is apart and read why.</source>
        <translation>选中分开的一对，阅读原因。</translation>
    </message>
    <message>
        <source>Code: from a line of Python to an instruction</source>
        <translation>代码：从一行 Python 到一条指令</translation>
    </message>
    <message>
        <source>One kernel in C++, LLVM IR and assembly, each line linked to where it came from.</source>
        <translation>一个内核的 C++、LLVM IR 和汇编，每一行都链接到它的来源。</translation>
    </message>
    <message>
        <source>Three operations</source>
        <translation>三个算子</translation>
    </message>
    <message>
        <source>A product, a sum, a maximum with nothing.</source>
        <translation>一次乘、一次加、与零取最大值。</translation>
    </message>
    <message>
        <source>One kernel</source>
        <translation>一个内核</translation>
    </message>
    <message>
        <source>No intermediate value reaches memory: the three are computed together for each element.</source>
        <translation>没有中间值进入内存：三个算子对每个元素一起计算。</translation>
    </message>
    <message>
        <source>The Kernels pane counts them.</source>
        <translation>内核面板会统计。</translation>
    </message>
    <message>
        <source>The text</source>
        <translation>代码文本</translation>
    </message>
    <message>
        <source>The generated C++ is written for people, too: names are those of the graph, and the vector width is said. Click on a line, and the line of Python lights up.</source>
        <translation>生成的 C++ 也是写给人看的：名称就是图中的名称，并标明向量宽度。单击一行，对应的 Python 行就会亮起。</translation>
    </message>
    <message>
        <source>Click on the line with relu.</source>
        <translation>单击含有 relu 的行。</translation>
    </message>
    <message>
        <source>The machine</source>
        <translation>机器</translation>
    </message>
    <message>
        <source>The tab “Assembly” shows what the processor runs. Point at an instruction to read what it does.</source>
        <translation>“汇编”标签页显示处理器实际运行的内容。把鼠标移到一条指令上，可读到它的作用。</translation>
    </message>
    <message>
        <source>Find the instruction that multiplies and adds at once.</source>
        <translation>找出同时完成乘和加的指令。</translation>
    </message>
    <message>
        <source>Memory: one arena for many buffers</source>
        <translation>内存：一个内存池，许多缓冲区</translation>
    </message>
    <message>
        <source>Three layers in a row: why the buffers of the first can be used again by the third.</source>
        <translation>连续三层：为什么第一层的缓冲区可以给第三层再用。</translation>
    </message>
    <message>
        <source>Values that live a while</source>
        <translation>存活一段时间的值</translation>
    </message>
    <message>
        <source>Each layer writes a buffer that the next one reads. After that nobody needs it.</source>
        <translation>每一层写出一个缓冲区，由下一层读取。此后就没有谁需要它了。</translation>
    </message>
    <message>
        <source>How many kernels are there?</source>
        <translation>有多少个内核？</translation>
    </message>
    <message>
        <source>Bands over kernels</source>
        <translation>内核之上的色带</translation>
    </message>
    <message>
        <source>Each band is a buffer: its height its bytes, its length the kernels during which it is needed. Bands that do not overlap in time may lie in the same place.</source>
        <translation>每条色带是一个缓冲区：高度是字节数，长度是需要它的那些内核。时间上不重叠的色带可以放在同一位置。</translation>
    </message>
    <message>
        <source>Point at a band to read whose it is.</source>
        <translation>把鼠标移到色带上，看看它属于谁。</translation>
    </message>
    <message>
        <source>How many bytes does the arena have?</source>
        <translation>内存池有多少字节？</translation>
    </message>
    <message>
        <source>In bytes, not in KiB: 1 KiB are 1024 bytes.</source>
        <translation>以字节而不是 KiB 计：1 KiB 是 1024 字节。</translation>
    </message>
    <message>
        <source>The peak</source>
        <translation>峰值</translation>
    </message>
    <message>
        <source>The line marks the kernel at which most is in use, and the text below says of what. To need less memory, begin there.</source>
        <translation>竖线标出占用最多的内核，下方文字说明被什么占用。要减少内存，就从这里着手。</translation>
    </message>
    <message>
        <source>Click on a band at the peak: the graph shows what computes it.</source>
        <translation>单击峰值处的一条色带：图会显示是什么计算了它。</translation>
    </message>
    <message>
        <source>Training: what a layer costs twice</source>
        <translation>训练：一层要付两次的代价</translation>
    </message>
    <message>
        <source>A layer norm with its backward: what is saved, what is computed again, and what a decision changes.</source>
        <translation>一个 layer norm 及其反向：保存什么、重计算什么，以及一个决定会改变什么。</translation>
    </message>
    <message>
        <source>A layer and its mirror</source>
        <translation>一层和它的镜像</translation>
    </message>
    <message>
        <source>The joint graph of a norm, an activation and a residual. The backward reads what the forward computed.</source>
        <translation>归一化、激活和残差的联合图。反向读取前向算出的值。</translation>
    </message>
    <message>
        <source>How many nodes does the joint graph have?</source>
        <translation>联合图有多少个节点？</translation>
    </message>
    <message>
        <source>What is saved</source>
        <translation>保存了什么</translation>
    </message>
    <message>
        <source>Saving costs memory, computing again costs time. The cut weighs both.</source>
        <translation>保存占用内存，重计算花费时间。割在两者之间权衡。</translation>
    </message>
    <message>
        <source>The tab “Saved” counts them.</source>
        <translation>“已保存”标签页会统计。</translation>
    </message>
    <message>
        <source>Decide otherwise</source>
        <translation>换一种决定</translation>
    </message>
    <message>
        <source>Select a dashed box and have it saved, or select something saved and have it computed again. The compiler compiles again, and What if lists what that changed.</source>
        <translation>选中一个虚线框并让它被保存，或选中一个已保存的值并让它重计算。编译器会重新编译，“假如”面板列出由此带来的变化。</translation>
    </message>
    <message>
        <source>Decide once, look at the table, and take it back with Ctrl+Alt+Z.</source>
        <translation>做一个决定，看看表格，再用 Ctrl+Alt+Z 撤销。</translation>
    </message>
    <message>
        <source>Kernels of both sides</source>
        <translation>两边的内核</translation>
    </message>
    <message>
        <source>Forward and backward are compiled by themselves: each has its kernels.</source>
        <translation>前向和反向分别编译：各有各的内核。</translation>
    </message>
    <message>
        <source>How many kernels are there in all?</source>
        <translation>一共有多少个内核？</translation>
    </message>
    <message>
        <source>Add the numbers beside forward and backward.</source>
        <translation>把 forward 和 backward 旁边的数字相加。</translation>
    </message>
    <message>
        <source>A loss: gather, not one-hot</source>
        <translation>损失：用 gather，而不是 one-hot</translation>
    </message>
    <message>
        <source>Cross entropy picks one number of each row; the compiler sees to it that no table of zeros is made for that.</source>
        <translation>交叉熵从每行取一个数；编译器保证不会为此造一张全是零的表。</translation>
    </message>
    <message>
        <source>One operation</source>
        <translation>一个算子</translation>
    </message>
    <message>
        <source>The script asks for a cross entropy and its gradient.</source>
        <translation>脚本要求一个交叉熵及其梯度。</translation>
    </message>
    <message>
        <source>Its definition is a logarithm of a softmax and a choice of one element. In the joint graph both are seen, with the gradient on the right.</source>
        <translation>它的定义是 softmax 的对数再选取一个元素。在联合图中两者都看得到，梯度在右侧。</translation>
    </message>
    <message>
        <source>Search for “gather” above the graph; Enter goes from one to the next.</source>
        <translation>在图上方搜索“gather”；按回车从一个到下一个。</translation>
    </message>
    <message>
        <source>Rewritten</source>
        <translation>改写</translation>
    </message>
    <message>
        <source>A pass proves that the sum of a one-hot row is the value in its hot place.</source>
        <translation>有一个 Pass 证明：one-hot 行的和就是其非零位置上的值。</translation>
    </message>
    <message>
        <source>Step to the passes of the backward.</source>
        <translation>走到反向图的各个 Pass。</translation>
    </message>
    <message>
        <source>What crosses</source>
        <translation>什么穿过割</translation>
    </message>
    <message>
        <source>Of the large tensors only what cannot be had more cheaply is saved.</source>
        <translation>大张量中，只保存无法更便宜地得到的那些。</translation>
    </message>
    <message>
        <source>The tab “Recomputed” counts them.</source>
        <translation>“已重计算”标签页会统计。</translation>
    </message>
    <message>
        <source>Modules: a model as nested boxes</source>
        <translation>模块：把模型看成嵌套的方框</translation>
    </message>
    <message>
        <source>An embedding, a convolution, a norm and a head: open and close them, measure, and compare.</source>
        <translation>一个嵌入、一个卷积、一个归一化和一个头部：展开、收起、测量、比较。</translation>
    </message>
    <message>
        <source>Boxes</source>
        <translation>方框</translation>
    </message>
    <message>
        <source>A module is a box; parameters that it alone uses are in it. Boxes open level by level as long as all can be read.</source>
        <translation>一个模块是一个方框；只有它使用的参数也在其中。只要都还看得清，方框就逐层展开。</translation>
    </message>
    <message>
        <source>Close a frame by a click on its head, and open it by its triangle.</source>
        <translation>单击外框的标题收起，点三角形展开。</translation>
    </message>
    <message>
        <source>The same in the cut</source>
        <translation>割也是如此</translation>
    </message>
    <message>
        <source>The partition has the same boxes. What is saved along an edge of a box adds up.</source>
        <translation>切分面板中有同样的方框。沿方框的一条边保存的字节会相加。</translation>
    </message>
    <message>
        <source>Heat</source>
        <translation>热力图</translation>
    </message>
    <message>
        <source>The colours can tell bytes, work, saved bytes, or, once measured, time. The legend filters.</source>
        <translation>颜色可以表示字节数、计算量、保存的字节数，测量之后还有时间。图例可用来筛选。</translation>
    </message>
    <message>
        <source>Choose “Bytes” below the graph, and click on a class of the legend.</source>
        <translation>在图下方选择“字节数”，再单击图例的一个等级。</translation>
    </message>
    <message>
        <source>Measure</source>
        <translation>测量</translation>
    </message>
    <message>
        <source>Run measures eager against compiled, with spread; what differs by chance only is said to.</source>
        <translation>“运行”比较 eager 与编译后的性能，并给出离散度；仅由偶然造成的差异会注明。</translation>
    </message>
    <message>
        <source>Press F5 and wait for the rows.</source>
        <translation>按 F5，等待结果行出现。</translation>
    </message>
    <message>
        <source>Keep and compare</source>
        <translation>保留并比较</translation>
    </message>
    <message>
        <source>Keep this result, change the script, and see both side by side, as numbers and as text.</source>
        <translation>保留此结果，修改脚本，再以数字和文本并排查看两者。</translation>
    </message>
    <message>
        <source>Press “Keep this”.</source>
        <translation>按“保留此结果”。</translation>
    </message>
    <message>
        <source>How many guards does the graph have?</source>
        <translation>此图有多少个守卫？</translation>
    </message>
    <message>
        <source>The Capture pane lists them.</source>
        <translation>捕获面板列出了它们。</translation>
    </message>
    <message>
        <source>Kernel by kernel</source>
        <translation>逐个内核</translation>
    </message>
    <message>
        <source>The pane Steps plays the arena: which buffers come with a kernel, which go after it, and how much is in use.</source>
        <translation>“逐步”面板播放内存池：哪些缓冲区随一个内核开始占用，哪些在它之后释放，以及占用了多少。</translation>
    </message>
    <message>
        <source>Choose “The arena, kernel by kernel” and press the space bar, or step with the arrow keys.</source>
        <translation>选择“内存池，逐个内核”并按空格键，或用方向键逐步查看。</translation>
    </message>
    <message>
        <source>Element by element</source>
        <translation>逐元素</translation>
    </message>
    <message>
        <source>The pane Steps plays a kernel over its first elements: the line of the loops that is carried out, what it reads and what it writes. Between reading and writing nothing touches memory.</source>
        <translation>“逐步”面板在前几个元素上播放一个内核：正在执行的循环行、它读什么、写什么。读和写之间没有什么访问内存。</translation>
    </message>
    <message>
        <source>Press the space bar, or step with the arrow keys.</source>
        <translation>按空格键，或用方向键逐步查看。</translation>
    </message>
</context>
</TS>
