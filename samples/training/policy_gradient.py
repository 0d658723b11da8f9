# SPDX-License-Identifier: Apache-2.0
# REINFORCE on a corridor: the agent starts in the middle and is rewarded at the right end.
import torch
import torch.nn as nn
import torch.nn.functional as F
import torch.optim as optim

compiled = False
torch.manual_seed(543)
SIZE = 9


class Corridor:
    def reset(self):
        self.place = SIZE // 2
        self.steps = 0
        return self.state()

    def state(self):
        x = torch.zeros(SIZE)
        x[self.place] = 1.0
        return x

    def step(self, action):
        self.place += 1 if action == 1 else -1
        self.steps += 1
        if self.place == SIZE - 1:
            return self.state(), 1.0, True
        if self.place == 0:
            return self.state(), -1.0, True
        return self.state(), -0.01, self.steps >= 40


class Policy(nn.Module):
    def __init__(self):
        super().__init__()
        self.affine1 = nn.Linear(SIZE, 16)
        self.affine2 = nn.Linear(16, 2)
        self.saved_log_probs = []
        self.rewards = []

    def forward(self, x):
        x = F.relu(self.affine1(x))
        return F.softmax(self.affine2(x), dim=1)


policy = Policy()
run = torch.compile(policy) if compiled else policy
optimizer = optim.Adam(policy.parameters(), lr=1e-2)
env = Corridor()


def select_action(state):
    probs = run(state.unsqueeze(0))
    action = torch.multinomial(probs, 1)
    policy.saved_log_probs.append(torch.log(probs.gather(1, action)).view(-1))
    return action.item()


def finish_episode():
    R = 0.0
    returns = []
    for r in policy.rewards[::-1]:
        R = r + 0.98 * R
        returns.insert(0, R)
    returns = torch.tensor(returns)
    returns = (returns - returns.mean()) / (returns.std() + 1e-6)
    losses = [-log_prob * R for log_prob, R in zip(policy.saved_log_probs, returns)]
    optimizer.zero_grad()
    loss = torch.cat(losses).sum()
    loss.backward()
    optimizer.step()
    del policy.rewards[:]
    del policy.saved_log_probs[:]
    return loss.item()


running = 0.0
for episode in range(12):
    state = env.reset()
    total = 0.0
    done = False
    while not done:
        state, reward, done = env.step(select_action(state))
        policy.rewards.append(reward)
        total += reward
    loss = finish_episode()
    running = 0.1 * total + 0.9 * running
    print(f"episode {episode} steps {env.steps} reward {total:.2f} running {running:.4f} loss {loss:.4f}")
