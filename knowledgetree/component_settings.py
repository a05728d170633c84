"""The parts that can be replaced, as `settings.RAG["components"]`: {family: {name: {backend, options}}}.

As with all settings, what a deployment changes is an environment variable; `docs/configuration.md` lists them.
"""

from knowledgetree.env import env_int, env_secret, env_str

COMPONENTS = {
    "gates": {"golden_set": {"backend": "rag.evaluation.gate.GoldenSetGate"}},
    "presets": {"names": {"backend": "rag.presets.preset_names.PresetNames"}},
    "background": {"queue": {"backend": "ingestion.services.grouping.QueuedWork"}},
    "chunking_trials": {"copies": {"backend": "ingestion.services.chunking_trials.CopiesOnTrial"}},
    "jobs": {
        "measurement": {"backend": "rag.evaluation.measuring.MeasurementJob"},
        "communities": {"backend": "rag.insight.communities.job.CommunitiesJob"},
        "optimization": {"backend": "rag.evaluation.optimization.job.OptimizationJob"},
    },
    "chunkers": {
        "adaptive": {"backend": "ingestion.chunking.adaptive.AdaptiveChunker"},
        "recursive": {"backend": "ingestion.chunking.recursive.RecursiveChunker"},
        "semantic": {
            "backend": "ingestion.chunking.semantic.SemanticChunker",
            "options": {"embedder": env_str("EMBEDDER", "word_vectors")},
        },
        "markdown": {"backend": "ingestion.chunking.markdown.MarkdownChunker"},
        "html": {"backend": "ingestion.chunking.html.HtmlChunker"},
        "code": {"backend": "ingestion.chunking.code.CodeChunker"},
        "legal": {"backend": "ingestion.chunking.legal.LegalChunker"},
        "table": {"backend": "ingestion.chunking.table.TableChunker"},
    },
    "web_search": {
        "none": {"backend": "rag.answering.correction.web_search.none.NoWebSearch"},
        "tavily": {
            "backend": "rag.answering.correction.web_search.tavily.TavilySearch",
            "options": {"api_key": env_secret("TAVILY_API_KEY")},
        },
        "searxng": {
            "backend": "rag.answering.correction.web_search.searxng.SearXNGSearch",
            "options": {"url": env_str("SEARXNG_URL")},
        },
        "anthropic": {"backend": "rag.answering.correction.web_search.anthropic.AnthropicSearch"},
    },
    "rerankers": {
        "features": {"backend": "rag.search.reranking.features.FeaturesReranker"},
        "none": {"backend": "rag.search.reranking.none.NoReranker"},
        "cross_encoder": {
            "backend": "rag.search.reranking.cross_encoder.CrossEncoderReranker",
            "options": {"model": env_str("RERANKER_MODEL", "cross-encoder/mmarco-mMiniLMv2-L12-H384-v1")},
        },
        "diversity": {"backend": "rag.search.reranking.diversity.DiversityReranker"},
        "llm": {"backend": "rag.search.reranking.llm.LLMReranker"},
    },
    "embedders": {
        "word_vectors": {"backend": "ingestion.embedding.word_vectors.WordVectorEmbedder"},
        "hashing": {"backend": "ingestion.embedding.hashing.HashingEmbedder", "options": {"dimension": 384}},
        "sentence_transformers": {
            "backend": "ingestion.embedding.sentence_transformer.SentenceTransformerEmbedder",
            "options": {
                "model": env_str("EMBEDDING_MODEL", "BAAI/bge-m3"),
                "device": env_str("EMBEDDING_DEVICE"),
                "dtype": env_str("EMBEDDING_DTYPE"),
                "backend": env_str("EMBEDDING_BACKEND", "torch"),
                "batch_size": env_int("EMBEDDING_BATCH_SIZE", 0),
                "max_seq_length": env_int("EMBEDDING_MAX_SEQ_LENGTH", 0),
            },
        },
        "http": {
            "backend": "ingestion.embedding.http.HTTPEmbedder",
            "options": {
                "model": env_str("EMBEDDING_MODEL", "BAAI/bge-m3"),
                "url": env_str("EMBEDDING_URL"),
                "dialect": env_str("EMBEDDING_DIALECT", "openai"),
                "api_key": env_secret("EMBEDDING_API_KEY"),
                "dimension": env_int("EMBEDDING_DIMENSION", 0),
                "batch_size": env_int("EMBEDDING_BATCH_SIZE", 0),
                "requests_per_minute": env_int("EMBEDDING_REQUESTS_PER_MINUTE", 0),
            },
        },
    },
}
