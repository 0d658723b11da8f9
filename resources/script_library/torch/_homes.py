# SPDX-License-Identifier: Apache-2.0
# Which module of a package PyTorch has a class in: what its text and __module__ say.
_homes = {
    "torch.nn": {
        "modules.activation": "CELU ELU GELU GLU Hardshrink Hardsigmoid Hardswish Hardtanh LeakyReLU LogSigmoid LogSoftmax "
            "Mish MultiheadAttention PReLU RReLU ReLU ReLU6 SELU SiLU Sigmoid Softmax Softmax2d Softmin "
            "Softplus Softshrink Softsign Tanh Tanhshrink Threshold",
        "modules.adaptive": "AdaptiveLogSoftmaxWithLoss",
        "modules.batchnorm": "BatchNorm1d BatchNorm2d BatchNorm3d LazyBatchNorm1d LazyBatchNorm2d LazyBatchNorm3d "
            "SyncBatchNorm",
        "modules.channelshuffle": "ChannelShuffle",
        "modules.container": "Container ModuleDict ModuleList ParameterDict ParameterList Sequential",
        "modules.conv": "Conv1d Conv2d Conv3d ConvTranspose1d ConvTranspose2d ConvTranspose3d LazyConv1d LazyConv2d "
            "LazyConv3d LazyConvTranspose1d LazyConvTranspose2d LazyConvTranspose3d",
        "modules.distance": "CosineSimilarity PairwiseDistance",
        "modules.dropout": "AlphaDropout Dropout Dropout1d Dropout2d Dropout3d FeatureAlphaDropout",
        "modules.flatten": "Flatten Unflatten",
        "modules.fold": "Fold Unfold",
        "modules.instancenorm": "InstanceNorm1d InstanceNorm2d InstanceNorm3d LazyInstanceNorm1d LazyInstanceNorm2d "
            "LazyInstanceNorm3d",
        "modules.linear": "Bilinear Identity LazyLinear Linear",
        "modules.loss": "BCELoss BCEWithLogitsLoss CTCLoss CosineEmbeddingLoss CrossEntropyLoss GaussianNLLLoss "
            "HingeEmbeddingLoss HuberLoss KLDivLoss L1Loss LinearCrossEntropyLoss MSELoss MarginRankingLoss "
            "MultiLabelMarginLoss MultiLabelSoftMarginLoss MultiMarginLoss NLLLoss NLLLoss2d PoissonNLLLoss "
            "SmoothL1Loss SoftMarginLoss TripletMarginLoss TripletMarginWithDistanceLoss",
        "modules.module": "Module",
        "modules.normalization": "CrossMapLRN2d GroupNorm LayerNorm LocalResponseNorm RMSNorm",
        "modules.padding": "CircularPad1d CircularPad2d CircularPad3d ConstantPad1d ConstantPad2d ConstantPad3d "
            "ReflectionPad1d ReflectionPad2d ReflectionPad3d ReplicationPad1d ReplicationPad2d "
            "ReplicationPad3d ZeroPad1d ZeroPad2d ZeroPad3d",
        "modules.pixelshuffle": "PixelShuffle PixelUnshuffle",
        "modules.pooling": "AdaptiveAvgPool1d AdaptiveAvgPool2d AdaptiveAvgPool3d AdaptiveMaxPool1d AdaptiveMaxPool2d "
            "AdaptiveMaxPool3d AvgPool1d AvgPool2d AvgPool3d FractionalMaxPool2d FractionalMaxPool3d "
            "LPPool1d LPPool2d LPPool3d MaxPool1d MaxPool2d MaxPool3d MaxUnpool1d MaxUnpool2d MaxUnpool3d",
        "modules.rnn": "GRU GRUCell LSTM LSTMCell RNN RNNBase RNNCell RNNCellBase",
        "modules.sparse": "Embedding EmbeddingBag",
        "modules.transformer": "Transformer TransformerDecoder TransformerDecoderLayer TransformerEncoder "
            "TransformerEncoderLayer",
        "modules.upsampling": "Upsample UpsamplingBilinear2d UpsamplingNearest2d",
    },
    "torch.optim": {
        "adadelta": "Adadelta",
        "adagrad": "Adagrad",
        "adam": "Adam",
        "adamax": "Adamax",
        "adamw": "AdamW",
        "asgd": "ASGD",
        "lbfgs": "LBFGS",
        "nadam": "NAdam",
        "radam": "RAdam",
        "rmsprop": "RMSprop",
        "rprop": "Rprop",
        "sgd": "SGD",
        "sparse_adam": "SparseAdam",
    },
    "torch.utils.data": {
        "dataloader": "DataLoader",
        "dataset": "ChainDataset ConcatDataset Dataset IterableDataset StackDataset Subset TensorDataset",
        "sampler": "BatchSampler RandomSampler Sampler SequentialSampler SubsetRandomSampler WeightedRandomSampler",
    },
    "torch.distributions": {
        "bernoulli": "Bernoulli",
        "beta": "Beta",
        "binomial": "Binomial",
        "categorical": "Categorical",
        "cauchy": "Cauchy",
        "chi2": "Chi2",
        "continuous_bernoulli": "ContinuousBernoulli",
        "dirichlet": "Dirichlet",
        "distribution": "Distribution",
        "exp_family": "ExponentialFamily",
        "exponential": "Exponential",
        "fishersnedecor": "FisherSnedecor",
        "gamma": "Gamma",
        "generalized_pareto": "GeneralizedPareto",
        "geometric": "Geometric",
        "gumbel": "Gumbel",
        "half_cauchy": "HalfCauchy",
        "half_normal": "HalfNormal",
        "independent": "Independent",
        "inverse_gamma": "InverseGamma",
        "kumaraswamy": "Kumaraswamy",
        "laplace": "Laplace",
        "lkj_cholesky": "LKJCholesky",
        "log_normal": "LogNormal",
        "logistic_normal": "LogisticNormal",
        "lowrank_multivariate_normal": "LowRankMultivariateNormal",
        "mixture_same_family": "MixtureSameFamily",
        "multinomial": "Multinomial",
        "multivariate_normal": "MultivariateNormal",
        "negative_binomial": "NegativeBinomial",
        "normal": "Normal",
        "one_hot_categorical": "OneHotCategorical OneHotCategoricalStraightThrough",
        "pareto": "Pareto",
        "poisson": "Poisson",
        "relaxed_bernoulli": "RelaxedBernoulli",
        "relaxed_categorical": "RelaxedOneHotCategorical",
        "studentT": "StudentT",
        "transformed_distribution": "TransformedDistribution",
        "uniform": "Uniform",
        "von_mises": "VonMises",
        "weibull": "Weibull",
        "wishart": "Wishart",
    },
}


def settle(package, names, modules=True):
    """Classes among names say where PyTorch has them; with modules, those can be imported."""
    for home, classes in _homes[package].items():
        there = {each: names[each] for each in classes.split() if each in names}
        for each in there.values():
            each.__module__ = f"{package}.{home}"
        if modules and there:
            _native.submodule(f"{package}.{home}", there)
