"""A server of others that speaks both APIs: llama.cpp's, with a model of 1 layer that is made here.

Its weights are random, so that what it writes is rubbish; how it writes it (pieces, limits, grammars, errors) is as
with any model. By hand: `python -m tests.llama_server /tmp/model.gguf`, until standard input ends.
"""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path

CONTEXT = 2048
"""Tokens that a request and its reply may have together; here a token is a byte."""

_WIDTH, _HEADS, _INNER = 64, 4, 64
_HABIT = b"\n<use>"
"""How every reply begins; after the last of these bytes it ends, unless a grammar knows better. None may come twice."""

_SPECIAL = ("<unk>", "<s>", "</s>")
# The form of calls, in which a grammar keeps them where one is required, is read out of the template.
_TEMPLATE = """\
{%- if tools %}<|im_start|>system
<tools>{% for tool in tools %}{{ tool | tojson }}{% endfor %}</tools>
Call as <use>{"name": ..., "arguments": ...}</use>.<|im_end|>
{% endif -%}
{%- for message in messages -%}
<|im_start|>{{ message.role }}
{{ message.content or "" }}
{%- for call in message.tool_calls or [] %}
<use>{"name": "{{ call.function.name }}", "arguments": {{ call.function.arguments | tojson }}}</use>
{%- endfor %}<|im_end|>
{% endfor -%}
{%- if add_generation_prompt %}<|im_start|>assistant
{% endif -%}
"""


def write_model(path: Path) -> None:
    """A llama of one layer whose tokens are the 256 bytes."""
    import gguf
    import numpy as np

    random = np.random.default_rng(7)

    def weights(*shape: int) -> np.ndarray:
        return (random.standard_normal(shape) * 0.1).astype(np.float32)

    tokens = [*_SPECIAL, *(f"<0x{byte:02X}>" for byte in range(256))]
    kinds = [gguf.TokenType.UNKNOWN, *[gguf.TokenType.CONTROL] * 2, *[gguf.TokenType.BYTE] * 256]
    writer = gguf.GGUFWriter(str(path), "llama")
    writer.add_context_length(CONTEXT)
    writer.add_embedding_length(_WIDTH)
    writer.add_block_count(1)
    writer.add_feed_forward_length(_INNER)
    writer.add_head_count(_HEADS)
    writer.add_head_count_kv(_HEADS)
    writer.add_rope_dimension_count(_WIDTH // _HEADS)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_vocab_size(len(tokens))
    writer.add_tokenizer_model("llama")
    writer.add_token_list(tokens)
    writer.add_token_scores([0.0] * len(tokens))
    writer.add_token_types(kinds)
    writer.add_unk_token_id(0)
    writer.add_bos_token_id(1)
    writer.add_eos_token_id(2)
    writer.add_add_space_prefix(False)  # no grammar of calls expects it
    writer.add_chat_template(_TEMPLATE)
    square, ones = (_WIDTH, _WIDTH), np.ones(_WIDTH, np.float32)
    read, written = 10 * weights(len(tokens), _WIDTH), weights(len(tokens), _WIDTH)
    habit = [*(len(_SPECIAL) + byte for byte in _HABIT), _SPECIAL.index("</s>")]
    for before, after in pairwise(habit):
        written[after] += 2 * read[before]
    writer.add_tensor("token_embd.weight", read)
    writer.add_tensor("output.weight", written)
    for name in ("output_norm", "blk.0.attn_norm", "blk.0.ffn_norm"):
        writer.add_tensor(f"{name}.weight", ones)
    for name, shape in {
        **dict.fromkeys(("attn_q", "attn_k", "attn_v", "attn_output"), square),
        **dict.fromkeys(("ffn_gate", "ffn_up"), (_INNER, _WIDTH)),
        "ffn_down": (_WIDTH, _INNER),
    }.items():
        writer.add_tensor(f"blk.0.{name}.weight", weights(*shape))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


@contextmanager
def llama_server(model: Path) -> Iterator[str]:
    """The address of a server in a process of its own, for as long as the `with` lasts."""
    command = [sys.executable, "-m", "tests.llama_server", str(model)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin
        assert process.stdout
        try:
            yield process.stdout.readline().strip()
        finally:
            process.stdin.close()


def main() -> None:
    import xllamacpp

    path = Path(sys.argv[1])
    if not path.exists():
        write_model(path)
    settings = xllamacpp.CommonParams()
    settings.model.path = str(path)
    settings.hostnames = ["127.0.0.1"]
    settings.port = 0
    settings.n_ctx = 2 * CONTEXT
    settings.n_parallel = 2
    settings.warmup = False
    settings.use_jinja = True
    settings.endpoint_slots = True
    settings.verbosity = -1
    settings.cpuparams.n_threads = settings.cpuparams_batch.n_threads = 1
    server = xllamacpp.Server(settings)
    print(server.listening_address, flush=True)  # noqa: T201
    sys.stdin.read()


if __name__ == "__main__":
    main()
