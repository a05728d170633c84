"""Which synthesizer a preset names."""

from dataclasses import replace

import pytest

from knowledgetree.language_models import LLMSettings
from rag.answering.synthesis.choice import synthesizer_for
from rag.answering.synthesis.compact import CompactSynthesizer
from rag.answering.synthesis.extractive import ExtractiveSynthesizer
from rag.answering.synthesis.refine import RefineSynthesizer
from rag.answering.synthesis.tree import TreeSynthesizer
from rag.presets import Preset
from tests.messages_server import MessagesServer

KINDS = {"compact": CompactSynthesizer, "refine": RefineSynthesizer, "tree_summarize": TreeSynthesizer}
SETTINGS = LLMSettings(api_key="klucz", model="duzy", fast_model="maly", max_tokens=500, native_citations=False)


@pytest.mark.parametrize("name", KINDS)
def test_with_a_key_the_preset_chooses(name):
    assert type(synthesizer_for(Preset(name="moj", synthesizer=name), SETTINGS)) is KINDS[name]


@pytest.mark.parametrize("name", [*KINDS, "extractive"])
def test_without_a_key_sentences_are_taken_as_they_are(name):
    preset = Preset(name="moj", synthesizer=name)
    assert isinstance(synthesizer_for(preset, LLMSettings()), ExtractiveSynthesizer)
    assert isinstance(synthesizer_for(Preset(name="moj", synthesizer="extractive"), SETTINGS), ExtractiveSynthesizer)


@pytest.mark.parametrize(
    ("of_preset", "by_step", "asked"),
    [(None, {}, "duzy"), ("wlasny", {"answer": "inny"}, "wlasny"), (None, {"answer": "inny"}, "inny")],
)
def test_the_model_is_the_presets_or_that_of_the_step(passage, of_preset, by_step, asked):
    preset = Preset(name="moj", synthesizer="compact", model=of_preset)
    with MessagesServer() as server:
        settings = replace(SETTINGS, base_url=server.url, models=by_step)
        list(synthesizer_for(preset, settings).synthesize("Ile?", [passage("Tak.")], language="pl"))
    assert server.requests[0].body["model"] == asked


@pytest.mark.parametrize(("wanted", "sent"), [(None, 500), (200, 200), (9000, 500)])
def test_an_answer_may_be_shorter_than_the_settings_allow_but_not_longer(passage, wanted, sent):
    preset = Preset(name="moj", synthesizer="compact")
    with MessagesServer() as server:
        settings = replace(SETTINGS, base_url=server.url)
        draft = synthesizer_for(preset, settings, max_tokens=wanted).synthesize(
            "Ile?", [passage("Tak.")], language="pl"
        )
        list(draft)
    assert server.requests[0].body["max_tokens"] == sent


def test_the_presets_budget_bounds_the_sources(passage):
    passages = [passage("Zdanie o urlopie pracownika. " * 30, chunk_id=number) for number in range(1, 9)]
    with MessagesServer() as server:
        settings = replace(SETTINGS, base_url=server.url)
        for tokens in (400, 4000):
            preset = Preset(name="moj", synthesizer="compact", source_tokens=tokens)
            list(synthesizer_for(preset, settings).synthesize("Ile?", passages, language="pl"))
        few, many = (request.prompt.count("<source number") for request in server.requests)
    assert few < 3 < many
