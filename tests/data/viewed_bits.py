# SPDX-License-Identifier: Apache-2.0
# Tensors seen as elements of another dtype. Recorded: viewed_bits.txt.
import torch


def t(n,f):
    try: print(n, f())
    except RuntimeError as e: print(n, str(e).split(" to view")[0])
x=torch.tensor([1.0,-2.5,3.25,0.])
t("i32", lambda: x.view(torch.int32).tolist())
t("i16", lambda: x.view(torch.int16).tolist())
t("u8", lambda: x.view(torch.uint8).shape)
t("f64", lambda: x.view(torch.float64).shape)
t("back", lambda: x.view(torch.uint8).view(torch.float32).tolist())
t("kw", lambda: x.view(dtype=torch.int32).dtype)
t("odd", lambda: x[:3].view(torch.float64))
t("0d", lambda: torch.tensor(1.).view(torch.int16))
t("2d", lambda: x.reshape(2,2).view(torch.int16).stride())
t("t", lambda: x.reshape(2,2).t().view(torch.int16))
t("same t", lambda: x.reshape(2,2).t().view(torch.int32).tolist())
t("off", lambda: x[1:3].view(torch.float64).shape)
def w():
    y=x.clone(); y.view(torch.int32)[0]=0; return y.tolist()
t("write", w)
t("sizes", lambda: x.view(2,2).shape)
t("sizes2", lambda: x.view((2,-1)).shape)
t("same", lambda: x.view(torch.float32).tolist())
t("bool", lambda: torch.tensor([True,False]).view(torch.uint8).tolist())
t("half", lambda: torch.tensor([1.,2.]).half().view(torch.int16).tolist())
t("grad", lambda: torch.ones(2,requires_grad=True).view(torch.int32).requires_grad)
bytes_ = torch.tensor([0, 1, 2, 255, 4, 0, 128, 3, 9, 0, 1], dtype=torch.uint8)
t("truth of bytes", lambda: bytes_.view(torch.bool).to(torch.int32).tolist())
t("truth of bytes and", lambda: (bytes_.view(torch.bool) & torch.tensor(True)).tolist())
t("truth of bytes where", lambda: torch.where(bytes_.view(torch.bool), 1., 2.).tolist())
t("truth of bytes summed", lambda: bytes_.view(torch.bool).sum().item())
t("truth of bytes taken", lambda: bytes_.view(torch.bool)[torch.tensor([2, 3, 5])].to(torch.int64).tolist())
