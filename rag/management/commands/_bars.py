"""Bars for a terminal."""

_EIGHTHS = " ▏▎▍▌▋▊▉"


def bar(value: float, most: float, *, width: int = 32) -> str:
    """`value` of `most` as blocks, to an eighth of a character; anything above nothing shows."""
    if value <= 0 or most <= 0:
        return ""
    whole, rest = divmod(max(1, round(width * 8 * min(1.0, value / most))), 8)
    return "█" * whole + (_EIGHTHS[rest] if rest else "")
