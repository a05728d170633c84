"""Whether an answer says what its sources say: claim by claim, by rules, and by a model where rules cannot decide."""

from rag.answering.verification.verifier import Verified, Verifier

__all__ = ["Verified", "Verifier"]
