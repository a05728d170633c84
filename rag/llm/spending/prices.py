"""What tokens cost."""

from collections.abc import Callable, Mapping

from knowledgetree.language_models import Price
from rag.types import Tokens

_A_MILLION = 1_000_000


def costs(
    usage: Mapping[str, Tokens], *, model_of: Callable[[str], str], prices: Mapping[str, Price]
) -> dict[str, float]:
    """US dollars by step, without the steps whose model has no price; `model_of` names the model of a step."""
    return {step: price(tokens, prices[model]) for step, tokens in usage.items() if (model := model_of(step)) in prices}


def price(tokens: Tokens, of: Price) -> float:
    """US dollars. Input that was read from the provider's cache, or written into it, may have a price of its own."""
    plain = tokens.input - tokens.cache_read - tokens.cache_write
    read = tokens.cache_read * (of.input if of.cache_read is None else of.cache_read)
    written = tokens.cache_write * (of.input if of.cache_write is None else of.cache_write)
    return (plain * of.input + read + written + tokens.output * of.output) / _A_MILLION
