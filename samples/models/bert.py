# SPDX-License-Identifier: Apache-2.0
# BERT: three embeddings, padding masks, post-norm layers, pooler; masked words and next sentence.
import math
from types import SimpleNamespace

import torch
from torch import nn

compiled = True
device = "cuda" if torch.cuda.is_available() else "cpu"


class BertEmbeddings(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.word_embeddings = nn.Embedding(config.vocab_size, config.hidden_size, padding_idx=config.pad_token_id)
        self.position_embeddings = nn.Embedding(config.max_position_embeddings, config.hidden_size)
        self.token_type_embeddings = nn.Embedding(config.type_vocab_size, config.hidden_size)
        self.LayerNorm = nn.LayerNorm(config.hidden_size, eps=config.layer_norm_eps)
        self.dropout = nn.Dropout(config.hidden_dropout_prob)
        self.register_buffer("position_ids", torch.arange(config.max_position_embeddings).expand((1, -1)), persistent=False)

    def forward(self, input_ids, token_type_ids=None):
        seq_length = input_ids.size()[1]
        if token_type_ids is None:
            token_type_ids = torch.zeros_like(input_ids)
        embeddings = self.word_embeddings(input_ids) + self.token_type_embeddings(token_type_ids)
        embeddings += self.position_embeddings(self.position_ids[:, :seq_length])
        return self.dropout(self.LayerNorm(embeddings))


class BertSelfAttention(nn.Module):
    def __init__(self, config):
        super().__init__()
        if config.hidden_size % config.num_attention_heads != 0:
            raise ValueError(f"The hidden size ({config.hidden_size}) is not a multiple of the number of attention "
                             f"heads ({config.num_attention_heads})")
        self.num_attention_heads = config.num_attention_heads
        self.attention_head_size = int(config.hidden_size / config.num_attention_heads)
        self.all_head_size = self.num_attention_heads * self.attention_head_size
        self.query = nn.Linear(config.hidden_size, self.all_head_size)
        self.key = nn.Linear(config.hidden_size, self.all_head_size)
        self.value = nn.Linear(config.hidden_size, self.all_head_size)
        self.dropout = nn.Dropout(config.attention_probs_dropout_prob)

    def transpose_for_scores(self, x: torch.Tensor) -> torch.Tensor:
        new_x_shape = x.size()[:-1] + (self.num_attention_heads, self.attention_head_size)
        x = x.view(new_x_shape)
        return x.permute(0, 2, 1, 3)

    def forward(self, hidden_states, attention_mask=None):
        query_layer = self.transpose_for_scores(self.query(hidden_states))
        key_layer = self.transpose_for_scores(self.key(hidden_states))
        value_layer = self.transpose_for_scores(self.value(hidden_states))
        attention_scores = torch.matmul(query_layer, key_layer.transpose(-1, -2))
        attention_scores = attention_scores / math.sqrt(self.attention_head_size)
        if attention_mask is not None:
            attention_scores = attention_scores + attention_mask
        attention_probs = self.dropout(nn.functional.softmax(attention_scores, dim=-1))
        context_layer = torch.matmul(attention_probs, value_layer)
        context_layer = context_layer.permute(0, 2, 1, 3).contiguous()
        return context_layer.view(context_layer.size()[:-2] + (self.all_head_size,))


class BertLayer(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.attention = nn.ModuleDict({
            "self": BertSelfAttention(config),
            "dense": nn.Linear(config.hidden_size, config.hidden_size),
            "LayerNorm": nn.LayerNorm(config.hidden_size, eps=config.layer_norm_eps),
        })
        self.intermediate = nn.Linear(config.hidden_size, config.intermediate_size)
        self.output = nn.Linear(config.intermediate_size, config.hidden_size)
        self.LayerNorm = nn.LayerNorm(config.hidden_size, eps=config.layer_norm_eps)
        self.dropout = nn.Dropout(config.hidden_dropout_prob)

    def forward(self, hidden_states, attention_mask):
        a = self.attention["self"](hidden_states, attention_mask)
        a = self.attention["LayerNorm"](self.dropout(self.attention["dense"](a)) + hidden_states)
        m = nn.functional.gelu(self.intermediate(a))
        return self.LayerNorm(self.dropout(self.output(m)) + a)


class BertForPreTraining(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.config = config
        self.embeddings = BertEmbeddings(config)
        self.encoder = nn.ModuleList([BertLayer(config) for _ in range(config.num_hidden_layers)])
        self.pooler = nn.Linear(config.hidden_size, config.hidden_size)
        self.transform = nn.Sequential(nn.Linear(config.hidden_size, config.hidden_size), nn.GELU(),
                                       nn.LayerNorm(config.hidden_size, eps=config.layer_norm_eps))
        self.decoder = nn.Linear(config.hidden_size, config.vocab_size)
        self.seq_relationship = nn.Linear(config.hidden_size, 2)
        self.apply(self._init_weights)
        self.decoder.weight = self.embeddings.word_embeddings.weight

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

    def forward(self, input_ids, attention_mask=None, token_type_ids=None, labels=None, next_sentence_label=None):
        if attention_mask is None:
            attention_mask = torch.ones(input_ids.shape, device=input_ids.device)
        dtype = self.pooler.weight.dtype
        extended = attention_mask[:, None, None, :].to(dtype=dtype)
        extended = (1.0 - extended) * torch.finfo(dtype).min
        hidden_states = self.embeddings(input_ids, token_type_ids)
        for layer in self.encoder:
            hidden_states = layer(hidden_states, extended)
        pooled_output = torch.tanh(self.pooler(hidden_states[:, 0]))
        prediction_scores = self.decoder(self.transform(hidden_states))
        seq_relationship_score = self.seq_relationship(pooled_output)
        total_loss = None
        if labels is not None and next_sentence_label is not None:
            loss_fct = nn.CrossEntropyLoss()
            masked_lm_loss = loss_fct(prediction_scores.view(-1, self.config.vocab_size).float(), labels.view(-1))
            next_sentence_loss = loss_fct(seq_relationship_score.view(-1, 2).float(), next_sentence_label.view(-1))
            total_loss = masked_lm_loss + next_sentence_loss
        return {"loss": total_loss, "prediction_logits": prediction_scores, "seq_relationship_logits": seq_relationship_score}


def mask_tokens(inputs, vocab_size, mask_token):
    labels = inputs.clone()
    masked_indices = torch.bernoulli(torch.full(labels.shape, 0.25)).bool() & (inputs != 0)
    labels[~masked_indices] = -100  # the loss is of masked words only
    inputs = inputs.clone()
    inputs[masked_indices] = mask_token
    return inputs, labels


config = SimpleNamespace(vocab_size=60, hidden_size=48, num_hidden_layers=2, num_attention_heads=4,
                         intermediate_size=96, max_position_embeddings=32, type_vocab_size=2, pad_token_id=0,
                         hidden_dropout_prob=0.0, attention_probs_dropout_prob=0.0, layer_norm_eps=1e-12,
                         initializer_range=0.05)
for dtype in (torch.float32, torch.bfloat16):
    torch.manual_seed(0)
    model = BertForPreTraining(config).to(device, dtype)
    run = torch.compile(model) if compiled else model
    no_decay = ["bias", "LayerNorm.weight"]
    groups = [{"params": [p for n, p in model.named_parameters() if not any(nd in n for nd in no_decay)], "weight_decay": 0.01},
              {"params": [p for n, p in model.named_parameters() if any(nd in n for nd in no_decay)], "weight_decay": 0.0}]
    optimizer = torch.optim.AdamW(groups, lr=5e-3)
    words = torch.randint(4, 60, (4, 20))
    for row, length in enumerate((20, 15, 11, 17)):
        words[row, length:] = 0
    inputs, labels = mask_tokens(words, 60, 3)
    batch = dict(input_ids=inputs.to(device), attention_mask=(words != 0).long().to(device),
                 token_type_ids=(torch.arange(20) > 8).long().expand(4, -1).to(device), labels=labels.to(device),
                 next_sentence_label=torch.tensor([0, 1, 1, 0], device=device))
    out = run(**batch)
    out["loss"].backward()
    logits = out["prediction_logits"].float()
    print(dtype, tuple(logits.shape), f"sum {logits.sum().item():.3f} of sizes {logits.abs().sum().item():.3f}")
    for name in ("embeddings.word_embeddings.weight", "embeddings.position_embeddings.weight",
                 "encoder.1.attention.self.query.weight", "encoder.0.LayerNorm.bias", "pooler.bias"):
        print(f"  gradient of {name}: {model.get_parameter(name).grad.float().norm().item():.4f}")
    optimizer.step()
    print(f"  loss {out['loss'].item():.4f}, after one step {run(**batch)['loss'].item():.4f}")
