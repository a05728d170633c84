from rag.retrieval.relevance import relevance

NOTHING, EVERYTHING = {"early": 0.0, "kinship": 0.0}, {"early": 1.0, "kinship": 1.0}


def test_words_decide_where_the_space_only_compares_letters() -> None:
    assert relevance(NOTHING, 0.99) < 0.01
    assert relevance(EVERYTHING) > 0.99


def test_a_passage_found_by_meaning_alone_can_be_relevant() -> None:
    assert relevance(NOTHING, 0.8, 0.6) > 0.9
    assert relevance(NOTHING, 0.3, 0.6) < 0.1


def test_the_words_are_not_overruled_by_the_vectors() -> None:
    assert relevance(EVERYTHING, 0.0, 0.6) == relevance(EVERYTHING)
