import pytest

from ingestion.embedding.prefixes import prefixes_of

SEARCHING = "Represent this sentence for searching relevant passages: "
INSTRUCTION = "Given a web search query, retrieve relevant passages that answer the query"


@pytest.mark.parametrize(
    ("model", "query", "passage"),
    [
        ("intfloat/multilingual-e5-base", "query: ", "passage: "),
        ("intfloat/e5-small-v2", "query: ", "passage: "),
        ("intfloat/multilingual-e5-large-instruct", f"Instruct: {INSTRUCTION}\nQuery: ", ""),
        ("sdadas/mmlw-retrieval-roberta-large", "zapytanie: ", ""),
        ("sdadas/mmlw-retrieval-roberta-large-v2", "[query]: ", ""),
        ("sdadas/mmlw-retrieval-e5-base", "query: ", "passage: "),
        ("sdadas/mmlw-e5-large", "query: ", "passage: "),
        ("sdadas/stella-pl-retrieval", f"Instruct: {INSTRUCTION}\nQuery: ", ""),
        ("BAAI/bge-m3", "", ""),
        ("BAAI/bge-base-en-v1.5", SEARCHING, ""),
        ("BAAI/bge-multilingual-gemma2", f"<instruct>{INSTRUCTION}\n<query>", ""),
        ("Alibaba-NLP/gte-multilingual-base", "", ""),
        ("nomic-ai/nomic-embed-text-v2-moe", "search_query: ", "search_document: "),
        ("Snowflake/snowflake-arctic-embed-l-v2.0", "query: ", ""),
        ("Snowflake/snowflake-arctic-embed-m", SEARCHING, ""),
        ("ipipan/silver-retriever-base-v1.1", "Pytanie: ", ""),
        ("sentence-transformers/LaBSE", "", ""),
        ("/modele/e5/all-MiniLM-L6-v2/", "", ""),
        ("/modele/multilingual-e5-small", "query: ", "passage: "),
    ],
)
def test_a_family_is_known_by_the_name_of_the_model(model: str, query: str, passage: str) -> None:
    prefixes = prefixes_of(model)
    assert (prefixes.query, prefixes.passage) == (query, passage)


def test_what_the_model_ships_counts_more_than_its_family() -> None:
    prefixes = prefixes_of("intfloat/e5-base", prompts={"query": "pytanie: ", "document": None})
    assert (prefixes.query, prefixes.passage) == ("pytanie: ", "")


def test_prompts_for_other_tasks_are_no_prefixes() -> None:
    assert prefixes_of("intfloat/e5-base", prompts={"clustering": "grupa: ", "query": None}).query == "query: "
