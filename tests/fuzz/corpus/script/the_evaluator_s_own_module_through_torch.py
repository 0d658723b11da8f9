import torch
torch._C
