"""Python's search for garbage, which starts so often by itself that importing the program takes a sixth longer."""

import gc


def seek_garbage_seldom() -> None:
    """Python would look through the thousands of objects that imports leave hundreds of times. What it looks for,
    objects that refer to each other in a circle, comes by the dozen with a request.
    """
    gc.set_threshold(50_000, 20, 100)
