import torch
torch.ones(2).type_as(5)
