"""What the knowledge base may ask about presets: a collection names the one that its questions are answered with."""

from rag.presets import known_names


class PresetNames:
    """The component `presets`."""

    def known(self) -> list[str]:
        """All of them, in order."""
        return known_names()
