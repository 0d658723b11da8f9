# What torch._dynamo.explain tells of a function: the same as `cutaway explain --stage guards` and `--stage breaks`.
import torch

scale = 3
net = torch.nn.Linear(4, 4)


def explained(x, options):
    x = net(x) * scale
    if options["relu"]:
        x = torch.relu(x)
    torch._dynamo.graph_break()
    y = x + len(options)
    if y.sum() > 0:
        y = y * 2
    return y


torch.manual_seed(0)
x = torch.ones(2, 4)
told = torch._dynamo.explain(explained)(x, {"relu": True})
for guard in told.out_guards:
    print("guard", guard.create_fn_name(), guard.name, *guard.code_list, sep="|")
for reason in told.break_reasons:
    print("break", reason.reason.replace("\n  Hint: ", "|"), reason.user_stack[-1].lineno, sep="|")
print("graphs", told.graph_count)
torch.compile(explained)(x, {"relu": True})
