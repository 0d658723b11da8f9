# SPDX-License-Identifier: Apache-2.0
# BERT in the style of Hugging Face's transformers: a configuration, embeddings, layers, a pooler, a
# masked language model with tied weights, on sentences of a small grammar.
import math
from dataclasses import dataclass
from typing import Optional, Tuple

import torch
import torch.nn as nn
from torch.nn import CrossEntropyLoss

compiled = False
torch.manual_seed(42)


@dataclass
class BertConfig:
    vocab_size: int = 24
    hidden_size: int = 32
    num_hidden_layers: int = 2
    num_attention_heads: int = 4
    intermediate_size: int = 64
    hidden_act: str = "gelu"
    max_position_embeddings: int = 16
    type_vocab_size: int = 2
    initializer_range: float = 0.02
    layer_norm_eps: float = 1e-12
    pad_token_id: int = 0


@dataclass
class MaskedLMOutput:
    loss: Optional[torch.Tensor] = None
    logits: Optional[torch.Tensor] = None
    hidden_states: Optional[Tuple[torch.Tensor, ...]] = None


ACT2FN = {"gelu": nn.functional.gelu, "relu": nn.functional.relu}


class BertEmbeddings(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.word_embeddings = nn.Embedding(config.vocab_size, config.hidden_size, padding_idx=config.pad_token_id)
        self.position_embeddings = nn.Embedding(config.max_position_embeddings, config.hidden_size)
        self.token_type_embeddings = nn.Embedding(config.type_vocab_size, config.hidden_size)
        self.LayerNorm = nn.LayerNorm(config.hidden_size, eps=config.layer_norm_eps)
        self.register_buffer("position_ids", torch.arange(config.max_position_embeddings).expand((1, -1)),
                             persistent=False)

    def forward(self, input_ids, token_type_ids=None):
        seq_length = input_ids.size()[1]
        if token_type_ids is None:
            token_type_ids = torch.zeros_like(input_ids)
        embeddings = self.word_embeddings(input_ids) + self.token_type_embeddings(token_type_ids)
        embeddings += self.position_embeddings(self.position_ids[:, :seq_length])
        return self.LayerNorm(embeddings)


class BertSelfAttention(nn.Module):
    def __init__(self, config):
        super().__init__()
        if config.hidden_size % config.num_attention_heads != 0:
            raise ValueError(f"The hidden size ({config.hidden_size}) is not a multiple of the number of heads")
        self.num_attention_heads = config.num_attention_heads
        self.attention_head_size = int(config.hidden_size / config.num_attention_heads)
        self.all_head_size = self.num_attention_heads * self.attention_head_size
        self.query = nn.Linear(config.hidden_size, self.all_head_size)
        self.key = nn.Linear(config.hidden_size, self.all_head_size)
        self.value = nn.Linear(config.hidden_size, self.all_head_size)

    def transpose_for_scores(self, x: torch.Tensor) -> torch.Tensor:
        new_x_shape = x.size()[:-1] + (self.num_attention_heads, self.attention_head_size)
        return x.view(new_x_shape).permute(0, 2, 1, 3)

    def forward(self, hidden_states, attention_mask=None):
        query_layer = self.transpose_for_scores(self.query(hidden_states))
        key_layer = self.transpose_for_scores(self.key(hidden_states))
        value_layer = self.transpose_for_scores(self.value(hidden_states))
        attention_scores = torch.matmul(query_layer, key_layer.transpose(-1, -2))
        attention_scores = attention_scores / math.sqrt(self.attention_head_size)
        if attention_mask is not None:
            attention_scores = attention_scores + attention_mask
        attention_probs = nn.functional.softmax(attention_scores, dim=-1)
        context_layer = torch.matmul(attention_probs, value_layer).permute(0, 2, 1, 3).contiguous()
        return context_layer.view(context_layer.size()[:-2] + (self.all_head_size,))


class BertLayer(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.attention = BertSelfAttention(config)
        self.dense = nn.Linear(config.hidden_size, config.hidden_size)
        self.attention_norm = nn.LayerNorm(config.hidden_size, eps=config.layer_norm_eps)
        self.intermediate = nn.Linear(config.hidden_size, config.intermediate_size)
        self.intermediate_act_fn = ACT2FN[config.hidden_act]
        self.output = nn.Linear(config.intermediate_size, config.hidden_size)
        self.output_norm = nn.LayerNorm(config.hidden_size, eps=config.layer_norm_eps)

    def forward(self, hidden_states, attention_mask=None):
        attention_output = self.dense(self.attention(hidden_states, attention_mask))
        attention_output = self.attention_norm(attention_output + hidden_states)
        layer_output = self.output(self.intermediate_act_fn(self.intermediate(attention_output)))
        return self.output_norm(layer_output + attention_output)


class BertModel(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.config = config
        self.embeddings = BertEmbeddings(config)
        self.layer = nn.ModuleList([BertLayer(config) for _ in range(config.num_hidden_layers)])

    def get_extended_attention_mask(self, attention_mask, dtype):
        extended_attention_mask = attention_mask[:, None, None, :].to(dtype=dtype)
        return (1.0 - extended_attention_mask) * torch.finfo(dtype).min

    def forward(self, input_ids, attention_mask=None, output_hidden_states=False):
        hidden_states = self.embeddings(input_ids)
        if attention_mask is None:
            attention_mask = torch.ones(input_ids.size(), device=input_ids.device)
        mask = self.get_extended_attention_mask(attention_mask, hidden_states.dtype)
        all_hidden_states = () if output_hidden_states else None
        for layer_module in self.layer:
            if output_hidden_states:
                all_hidden_states = all_hidden_states + (hidden_states,)
            hidden_states = layer_module(hidden_states, mask)
        if output_hidden_states:
            all_hidden_states = all_hidden_states + (hidden_states,)
        return hidden_states, all_hidden_states


class BertForMaskedLM(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.config = config
        self.bert = BertModel(config)
        self.transform = nn.Sequential(nn.Linear(config.hidden_size, config.hidden_size), nn.GELU(),
                                       nn.LayerNorm(config.hidden_size, eps=config.layer_norm_eps))
        self.decoder = nn.Linear(config.hidden_size, config.vocab_size, bias=True)
        self.apply(self._init_weights)
        self.decoder.weight = self.bert.embeddings.word_embeddings.weight

    def _init_weights(self, module):
        if isinstance(module, nn.Linear):
            module.weight.data.normal_(mean=0.0, std=self.config.initializer_range)
            if module.bias is not None:
                module.bias.data.zero_()
        elif isinstance(module, nn.Embedding):
            module.weight.data.normal_(mean=0.0, std=self.config.initializer_range)
            if module.padding_idx is not None:
                module.weight.data[module.padding_idx].zero_()
        elif isinstance(module, nn.LayerNorm):
            module.bias.data.zero_()
            module.weight.data.fill_(1.0)

    def forward(self, input_ids, attention_mask=None, labels=None, output_hidden_states=False):
        sequence_output, states = self.bert(input_ids, attention_mask, output_hidden_states)
        prediction_scores = self.decoder(self.transform(sequence_output))
        loss = None
        if labels is not None:
            loss_fct = CrossEntropyLoss()  # -100 index = padding token
            loss = loss_fct(prediction_scores.view(-1, self.config.vocab_size), labels.view(-1))
        return MaskedLMOutput(loss=loss, logits=prediction_scores, hidden_states=states)


PAD, MASK = 0, 1


def sentences(count, length):
    """Tokens that rise by their row's step from its start; the ends of some rows are padding."""
    start = torch.randint(2, 10, (count, 1))
    step = torch.randint(1, 3, (count, 1))
    tokens = start + step * torch.arange(length)
    tokens = (tokens - 2) % 22 + 2
    lengths = torch.randint(length // 2, length + 1, (count, 1))
    attention_mask = (torch.arange(length) < lengths).long()
    return tokens * attention_mask, attention_mask


def mask_tokens(inputs, attention_mask, probability=0.2):
    labels = inputs.clone()
    chosen = torch.bernoulli(torch.full(labels.shape, probability)).bool() & attention_mask.bool()
    labels[~chosen] = -100
    return inputs.masked_fill(chosen, MASK), labels


config = BertConfig()
model = BertForMaskedLM(config)
print(config)
print(f"parameters {sum(p.numel() for p in model.parameters())}, "
      f"tied {model.decoder.weight is model.bert.embeddings.word_embeddings.weight}")
model.train()
run = torch.compile(model) if compiled else model
no_decay = ["bias", "norm.weight", "LayerNorm.weight"]
groups = [
    {"params": [p for n, p in model.named_parameters() if not any(nd in n for nd in no_decay)], "weight_decay": 0.01},
    {"params": [p for n, p in model.named_parameters() if any(nd in n for nd in no_decay)], "weight_decay": 0.0},
]
optimizer = torch.optim.AdamW(groups, lr=5e-3)
scheduler = torch.optim.lr_scheduler.LambdaLR(
    optimizer, lambda step: (step + 1) / 4 if step < 4 else max(0.0, (16 - step) / 12))
for step in range(12):
    tokens, attention_mask = sentences(16, 12)
    inputs, labels = mask_tokens(tokens, attention_mask)
    outputs = run(input_ids=inputs, attention_mask=attention_mask, labels=labels)
    outputs.loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), max_norm=1.0)
    optimizer.step()
    scheduler.step()
    optimizer.zero_grad()
    print(f"step {step} loss {outputs.loss.item():.5f} lr {scheduler.get_last_lr()[0]:.5f}")
model.eval()
with torch.no_grad():
    outputs = model(tokens[:2], attention_mask[:2], output_hidden_states=True)
print([tuple(h.shape) for h in outputs.hidden_states], outputs.loss)
