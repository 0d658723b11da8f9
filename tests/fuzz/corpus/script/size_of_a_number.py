import torch
torch.Tensor.size(5)
