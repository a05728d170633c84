"""The Django project: composition only. What the product does lives in `ingestion` and `rag`."""
