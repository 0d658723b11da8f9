# SPDX-License-Identifier: Apache-2.0
# T5: encoder and decoder with bucketed relative position biases, RMS norms, gated GELU, shifted targets.
import copy
import math
from types import SimpleNamespace

import torch
import torch.nn.functional as F
from torch import nn

compiled = True
device = "cuda" if torch.cuda.is_available() else "cpu"


class T5LayerNorm(nn.Module):
    def __init__(self, hidden_size, eps=1e-6):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(hidden_size))
        self.variance_epsilon = eps

    def forward(self, hidden_states):
        variance = hidden_states.to(torch.float32).pow(2).mean(-1, keepdim=True)
        hidden_states = hidden_states * torch.rsqrt(variance + self.variance_epsilon)
        if self.weight.dtype in [torch.float16, torch.bfloat16]:
            hidden_states = hidden_states.to(self.weight.dtype)
        return self.weight * hidden_states


class T5DenseGatedActDense(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.wi_0 = nn.Linear(config.d_model, config.d_ff, bias=False)
        self.wi_1 = nn.Linear(config.d_model, config.d_ff, bias=False)
        self.wo = nn.Linear(config.d_ff, config.d_model, bias=False)

    def forward(self, hidden_states):
        hidden_gelu = F.gelu(self.wi_0(hidden_states), approximate="tanh")
        return self.wo(hidden_gelu * self.wi_1(hidden_states))


class T5Attention(nn.Module):
    def __init__(self, config, has_relative_attention_bias=False):
        super().__init__()
        self.is_decoder = config.is_decoder
        self.num_buckets = config.relative_attention_num_buckets
        self.max_distance = config.relative_attention_max_distance
        self.key_value_proj_dim = config.d_kv
        self.n_heads = config.num_heads
        self.inner_dim = self.n_heads * self.key_value_proj_dim
        self.has_relative_attention_bias = has_relative_attention_bias
        self.q = nn.Linear(config.d_model, self.inner_dim, bias=False)
        self.k = nn.Linear(config.d_model, self.inner_dim, bias=False)
        self.v = nn.Linear(config.d_model, self.inner_dim, bias=False)
        self.o = nn.Linear(self.inner_dim, config.d_model, bias=False)
        if self.has_relative_attention_bias:
            self.relative_attention_bias = nn.Embedding(self.num_buckets, self.n_heads)

    @staticmethod
    def _relative_position_bucket(relative_position, bidirectional=True, num_buckets=32, max_distance=128):
        relative_buckets = 0
        if bidirectional:
            num_buckets //= 2
            relative_buckets += (relative_position > 0).to(torch.long) * num_buckets
            relative_position = torch.abs(relative_position)
        else:
            relative_position = -torch.min(relative_position, torch.zeros_like(relative_position))
        max_exact = num_buckets // 2  # half of the buckets are for exact increments in positions
        is_small = relative_position < max_exact
        relative_position_if_large = max_exact + (
            torch.log(relative_position.float() / max_exact)
            / math.log(max_distance / max_exact)
            * (num_buckets - max_exact)
        ).to(torch.long)
        relative_position_if_large = torch.min(
            relative_position_if_large, torch.full_like(relative_position_if_large, num_buckets - 1))
        relative_buckets += torch.where(is_small, relative_position, relative_position_if_large)
        return relative_buckets

    def compute_bias(self, query_length, key_length):
        device = self.relative_attention_bias.weight.device
        context_position = torch.arange(query_length, dtype=torch.long, device=device)[:, None]
        memory_position = torch.arange(key_length, dtype=torch.long, device=device)[None, :]
        relative_position = memory_position - context_position
        bucket = self._relative_position_bucket(relative_position, bidirectional=(not self.is_decoder),
                                                num_buckets=self.num_buckets, max_distance=self.max_distance)
        return self.relative_attention_bias(bucket).permute([2, 0, 1]).unsqueeze(0)

    def forward(self, hidden_states, mask=None, key_value_states=None, position_bias=None):
        batch_size, seq_length = hidden_states.shape[:2]
        source = hidden_states if key_value_states is None else key_value_states

        def shape(states):
            return states.view(batch_size, -1, self.n_heads, self.key_value_proj_dim).transpose(1, 2)

        query_states = shape(self.q(hidden_states))
        key_states, value_states = shape(self.k(source)), shape(self.v(source))
        scores = torch.matmul(query_states, key_states.transpose(3, 2))
        if position_bias is None:
            key_length = key_states.shape[-2]
            if not self.has_relative_attention_bias:
                position_bias = torch.zeros((1, self.n_heads, seq_length, key_length), device=scores.device, dtype=scores.dtype)
            else:
                position_bias = self.compute_bias(seq_length, key_length)
            if mask is not None:
                position_bias = position_bias + mask
        scores += position_bias
        attn_weights = F.softmax(scores.float(), dim=-1).type_as(scores)
        attn_output = torch.matmul(attn_weights, value_states)
        attn_output = attn_output.transpose(1, 2).contiguous().view(batch_size, -1, self.inner_dim)
        return self.o(attn_output), position_bias


class T5Block(nn.Module):
    def __init__(self, config, has_relative_attention_bias=False):
        super().__init__()
        self.is_decoder = config.is_decoder
        self.SelfAttention = T5Attention(config, has_relative_attention_bias)
        self.self_norm = T5LayerNorm(config.d_model)
        if self.is_decoder:
            self.EncDecAttention = T5Attention(config)
            self.cross_norm = T5LayerNorm(config.d_model)
        self.DenseReluDense = T5DenseGatedActDense(config)
        self.ff_norm = T5LayerNorm(config.d_model)

    def forward(self, x, mask, position_bias, encoder_states=None, cross_bias=None):
        y, position_bias = self.SelfAttention(self.self_norm(x), mask=mask, position_bias=position_bias)
        x = x + y
        if self.is_decoder and encoder_states is not None:
            y, cross_bias = self.EncDecAttention(self.cross_norm(x), key_value_states=encoder_states,
                                                 position_bias=cross_bias)
            x = x + y
        return x + self.DenseReluDense(self.ff_norm(x)), position_bias, cross_bias


class T5Stack(nn.Module):
    def __init__(self, config, embed_tokens):
        super().__init__()
        self.embed_tokens = embed_tokens
        self.is_decoder = config.is_decoder
        self.block = nn.ModuleList(
            [T5Block(config, has_relative_attention_bias=bool(i == 0)) for i in range(config.num_layers)])
        self.final_layer_norm = T5LayerNorm(config.d_model)

    def forward(self, input_ids, attention_mask, encoder_states=None):
        x = self.embed_tokens(input_ids)
        mask = attention_mask[:, None, None, :]
        if self.is_decoder:
            seq_ids = torch.arange(input_ids.shape[1], device=input_ids.device)
            mask = mask * (seq_ids[None, None, None, :] <= seq_ids[None, None, :, None])
        mask = (1.0 - mask.to(x.dtype)) * torch.finfo(x.dtype).min
        position_bias = cross_bias = None
        for layer in self.block:
            x, position_bias, cross_bias = layer(x, mask, position_bias, encoder_states, cross_bias)
        return self.final_layer_norm(x)


class T5ForConditionalGeneration(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.config = config
        self.shared = nn.Embedding(config.vocab_size, config.d_model)
        encoder_config = copy.deepcopy(config)
        encoder_config.is_decoder = False
        self.encoder = T5Stack(encoder_config, self.shared)
        decoder_config = copy.deepcopy(config)
        decoder_config.is_decoder = True
        self.decoder = T5Stack(decoder_config, self.shared)
        self.lm_head = nn.Linear(config.d_model, config.vocab_size, bias=False)

    def _shift_right(self, input_ids):
        shifted_input_ids = input_ids.new_zeros(input_ids.shape)
        shifted_input_ids[..., 1:] = input_ids[..., :-1].clone()
        shifted_input_ids[..., 0] = self.config.decoder_start_token_id
        shifted_input_ids.masked_fill_(shifted_input_ids == -100, self.config.pad_token_id)
        return shifted_input_ids

    def forward(self, input_ids, attention_mask, labels):
        encoder_states = self.encoder(input_ids, attention_mask)
        decoder_input_ids = self._shift_right(labels)
        sequence_output = self.decoder(decoder_input_ids, torch.ones_like(decoder_input_ids), encoder_states)
        lm_logits = self.lm_head(sequence_output)
        loss = F.cross_entropy(lm_logits.view(-1, lm_logits.size(-1)).float(), labels.view(-1), ignore_index=-100)
        return lm_logits, loss


config = SimpleNamespace(vocab_size=64, d_model=32, d_kv=8, d_ff=64, num_layers=2, num_heads=4, is_decoder=False,
                         relative_attention_num_buckets=8, relative_attention_max_distance=20, pad_token_id=0,
                         decoder_start_token_id=0)
for dtype in (torch.float32, torch.bfloat16):
    torch.manual_seed(0)
    model = T5ForConditionalGeneration(config)
    for name, p in model.named_parameters():
        if p.dim() == 2:
            nn.init.normal_(p, std=0.3 if "shared" in name else 0.1)
    model = model.to(device, dtype)
    run = torch.compile(model) if compiled else model
    optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
    input_ids = torch.randint(2, 64, (3, 18))
    input_ids[1, 12:] = 0
    labels = torch.randint(2, 64, (3, 10))
    labels[2, 7:] = -100
    input_ids, labels = input_ids.to(device), labels.to(device)
    logits, loss = run(input_ids, (input_ids != 0).long(), labels)
    loss.backward()
    logits = logits.float()
    print(dtype, tuple(logits.shape), f"sum {logits.sum().item():.3f} of sizes {logits.abs().sum().item():.3f}")
    for name in ("shared.weight", "encoder.block.0.SelfAttention.relative_attention_bias.weight",
                 "decoder.block.0.SelfAttention.relative_attention_bias.weight",
                 "decoder.block.1.EncDecAttention.k.weight", "encoder.final_layer_norm.weight"):
        print(f"  gradient of {name}: {model.get_parameter(name).grad.float().norm().item():.4f}")
    optimizer.step()
    after = run(input_ids, (input_ids != 0).long(), labels)[1]
    print(f"  loss {loss.item():.4f}, after one step {after.item():.4f}")
