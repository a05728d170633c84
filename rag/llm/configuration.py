"""The language models in force: what the environment and the settings say of them."""

from dataclasses import replace

from knowledgetree.conf import LLMSettings, RAGSettings, rag_settings


def llm_settings() -> LLMSettings:
    """Which language models are asked here, and how."""
    return rag_settings().llm


def settings_in_force() -> RAGSettings:
    """`rag_settings()` with `llm_settings()` in the place of what the settings alone say."""
    return replace(rag_settings(), llm=llm_settings())
