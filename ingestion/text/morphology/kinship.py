"""How alike two words begin: a cheap sign that they are of one family."""

LEAST = 3  # letters that must agree


def alike(left: str, right: str) -> float:
    """The share of letters that two words begin with alike, 0 below three letters."""
    same = 0
    for a, b in zip(left, right, strict=False):
        if a != b:
            break
        same += 1
    return 2 * same / (len(left) + len(right)) if same >= LEAST else 0.0
