# SPDX-License-Identifier: Apache-2.0
# as_strided() with a storage_offset counts from the storage, also behind calls that give the tensor
# itself. What PyTorch printed: strided_from_storage.txt.
import torch
import torch.nn.functional as F

compiled = False
a = torch.arange(16.0).view(4, 4)[1:]
calls = {
    "itself": lambda x: x,
    "contiguous": lambda x: x.contiguous(),
    "to": lambda x: x.to(torch.float32),
    "detach": lambda x: x.detach(),
    "view": lambda x: x.view(12),
    "reshape": lambda x: x.reshape(12),
    "expand_as": lambda x: x.expand_as(x),
    "clone": lambda x: x.clone(),
    "sum": lambda x: x + 0,
    "split": lambda x: x.split(2)[1],
    "dropout": lambda x: F.dropout(x, 0.5, False),
    "ravel": lambda x: x.ravel(),
    "flatten": lambda x: x.flatten(),
    "atleast_2d": lambda x: torch.atleast_2d(x),
    "broadcast_to": lambda x: torch.broadcast_to(x, (3, 4)),
}
for name, call in calls.items():
    function = lambda x: torch.as_strided(call(x), [2, 3], [1, 2], 1) * 2
    if compiled:
        torch._dynamo.reset()
        function = torch.compile(function)
    print(name, function(a).tolist())

theta = torch.arange(12.0).view(2, 2, 3)
grid = lambda t: F.affine_grid(t, [2, 1, 3, 4], align_corners=False)
if compiled:
    grid = torch.compile(grid, dynamic=True)
print("affine_grid", [round(v, 4) for v in grid(theta).flatten().tolist()])
