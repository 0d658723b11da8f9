import torch
torch.nn.Module.compile(lambda: 5)
