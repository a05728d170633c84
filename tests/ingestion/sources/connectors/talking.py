"""A server that says what a test tells it to, whatever it is asked."""

import socket
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress


@contextmanager
def talking(said: Sequence[bytes], *, answer: Callable[[bytes], bytes] | None = None) -> Iterator[int]:
    """Its port. Each of `said` goes out, one after what it is asked; then `answer` to each line."""
    with socket.create_server(("127.0.0.1", 0)) as server:

        def talk() -> None:
            with suppress(OSError):
                while True:
                    opened, _address = server.accept()
                    with opened, opened.makefile("rb") as asked:
                        for piece in said:
                            opened.sendall(piece)
                            if piece is not said[-1]:
                                asked.readline()
                        while answer and (line := asked.readline()):
                            opened.sendall(answer(line))

        threading.Thread(target=talk, daemon=True).start()
        yield int(server.getsockname()[1])
        server.shutdown(socket.SHUT_RDWR)
