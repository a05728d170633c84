"""Whether something tells a number. Times in seconds have any digits by chance: it counts where it stands whole."""

import re


def tells(thing: object, number: int) -> bool:
    return re.search(rf"(?<![\d.]){number}(?!\d)", repr(thing)) is not None
