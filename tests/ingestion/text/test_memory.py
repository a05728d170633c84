from ingestion.text.memory import Memory


def test_what_was_found_or_learned_is_not_looked_for_again() -> None:
    asked: list[str] = []
    memory = Memory(lambda text: asked.append(text) or text.upper(), size=10)
    memory.learn({"b": "told"})
    assert [memory["a"], memory["a"], memory["b"]] == ["A", "A", "told"]
    assert asked == ["a"]


def test_a_full_memory_begins_anew() -> None:
    memory = Memory(str.upper, size=2)
    assert [memory[text] for text in "abca"] == list("ABCA")
    assert len(memory) <= 2
