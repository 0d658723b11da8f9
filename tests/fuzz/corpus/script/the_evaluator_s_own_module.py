import torch._C
