"""A question that only makes sense after the one before it, worded so that it stands alone."""

from rag.understanding.follow_up.rewording import Rewritten, stand_alone

__all__ = ["Rewritten", "stand_alone"]
