"""What the product makes of replies that a real model gave: parsed, cited, checked; and which no longer apply."""

from typing import Any

import pytest

from rag.answering.verification import Verifier
from rag.llm.messages.messages_model import MessagesModel
from rag.understanding.language import question_language
from tests.messages_server import MessagesServer
from tests.rag.llm.recordings import Recording, Replay, read_recordings, recorded_prompts
from tests.rag.llm.recordings.steps import STEPS, passages_of

RECORD = "python -m tests.rag.llm.recordings"


def of(prompt: str) -> Any:
    """The recordings of a prompt that has not changed since, one a test; of others the test below tells."""
    valid = [one for one in read_recordings(prompt) if one.exchanges and not one.outdated]
    return pytest.mark.parametrize("recording", valid, ids=[one.name for one in valid])


def replayed(prompt: str, recording: Recording) -> Any:
    """What the step makes of the recorded replies."""
    _, step = STEPS[prompt]
    with MessagesServer() as server:
        server.choose = Replay(recording)
        llm = MessagesModel(api_key="test", base_url=server.url, model="test", locates=False, max_retries=0)
        return step(recording.input, llm)


@pytest.mark.parametrize("prompt", recorded_prompts())
def test_every_recording_was_made_with_the_prompts_as_they_are(prompt: str) -> None:
    stale = [one.name for one in read_recordings(prompt) if one.outdated or not one.exchanges]
    assert not stale, f"Record anew, with a model: {RECORD} {prompt}; without one: {RECORD} --drop {prompt}"


def test_every_recording_says_who_replied_and_when() -> None:
    recordings = [one for prompt in recorded_prompts() for one in read_recordings(prompt)]
    assert all(one.date and one.model for one in recordings if one.exchanges)


@of("answer")
def test_an_answer_cites_what_it_says_and_a_refusal_says_nothing(recording: Recording) -> None:
    made = replayed("answer", recording)
    refused = recording.input.get("refused", False)
    assert made.found is not refused
    if refused:
        assert (made.text, made.citations) == ("", ())
        return
    assert_cited(recording, made)


@pytest.mark.parametrize("prompt", ["refine", "summary"])
def test_an_answer_of_several_parts_cites_the_sources_of_all(prompt: str) -> None:
    for recording in read_recordings(prompt):
        if recording.exchanges and not recording.outdated:
            assert_cited(recording, replayed(prompt, recording))


def assert_cited(recording: Recording, made: Any) -> None:
    """The answer has what is wanted, every number in it is a source, and hardly a sentence goes without."""
    text = made.text.replace("\xa0", " ").casefold()
    assert all(wanted.casefold() in text for wanted in recording.input["contains"])
    assert made.removed_citations == 0
    sources = passages_of(recording.input)
    assert all(any(citation.quote in source.text for source in sources) for citation in made.citations)
    checked = Verifier().verify(recording.input["question"], made.text, made.citations, sources, language="pl")
    assert len(checked.verification.uncited) <= 1


@of("multi_query")
def test_wordings_are_at_most_three_and_none_for_what_asks_nothing(recording: Recording) -> None:
    made = replayed("multi_query", recording)
    assert len(made) == (0 if recording.name == "podziekowanie" else len(made)) <= 3
    assert all('"' not in variant.text for variant in made)


@of("hyde")
def test_an_imagined_passage_is_one_in_the_questions_language(recording: Recording) -> None:
    (only,) = replayed("hyde", recording)
    assert only.passage
    assert 40 <= len(only.text.split()) <= 140


@of("decomposition")
def test_a_composite_question_becomes_its_parts_and_a_simple_one_stays(recording: Recording) -> None:
    made = replayed("decomposition", recording)
    assert len(made) in ((0,) if recording.name == "proste" else (2, 3, 4))


@of("rewrite")
def test_a_follow_up_is_worded_to_stand_alone(recording: Recording) -> None:
    made = replayed("rewrite", recording)
    assert made.text
    assert made.changed == (recording.name != "nowy_temat")


@of("translate")
def test_a_question_is_worded_in_polish_with_its_names_as_they_are(recording: Recording) -> None:
    (made,) = replayed("translate", recording)
    assert question_language(made.text, "") == "pl"
    assert all(word in made.text for word in recording.input["contains"])


@of("sufficiency")
def test_what_is_missing_is_searched_in_its_own_words(recording: Recording) -> None:
    made = replayed("sufficiency", recording)
    assert bool(made.missing) is not recording.input["enough"]
    assert recording.input.get("wanted", "") in " ".join(made.missing).casefold()


@of("critique")
def test_a_critic_misses_only_what_was_asked_and_not_answered(recording: Recording) -> None:
    made = replayed("critique", recording)
    assert made.good is recording.input["good"]
    assert bool(made.missing) is not made.good


@of("verify")
def test_a_paraphrase_holds_and_an_invention_does_not(recording: Recording) -> None:
    made = replayed("verify", recording)
    verdicts = [claim.verdict for claim in made.verification.claims]
    assert verdicts == recording.input["verdicts"]


@of("judge")
def test_a_judge_tells_right_from_wrong_whatever_the_answer_demands(recording: Recording) -> None:
    made = replayed("judge", recording)
    assert (made.scores["correctness"] >= 0.75) is recording.input["correct"]


@of("community")
def test_a_summary_keeps_the_sentences_that_their_passages_bear_out(recording: Recording) -> None:
    made = replayed("community", recording)
    assert 1 <= len(made) <= 6
