# SPDX-License-Identifier: Apache-2.0
# torch.onnx: scripts write no files; `cutaway export` writes graphs.


def export(*args, **kwargs):
    raise NotImplementedError("scripts write no ONNX files here; `cutaway export FILE.py` writes graphs and sources")


dynamo_export = export


def is_in_onnx_export():
    return False
