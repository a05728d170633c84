from rag.models.conversations import Conversation, Exchange, ExchangeCitation

__all__ = ["Conversation", "Exchange", "ExchangeCitation"]
