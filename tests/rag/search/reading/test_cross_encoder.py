"""The transformer that reads a question with each piece of text."""

from typing import Any

import numpy as np
import pytest
import torch
from torch import nn

from rag.search.reading.cross_encoder import CrossEncoder, cross_encoder, kind_of, read_words

REFUSE = (
    ("Odpady komunalne", "Meble i materace odbiera się dwa razy w roku, w kwietniu i w październiku."),
    ("Odpady komunalne", "Opłatę wnosi się do 15. dnia każdego miesiąca."),
    ("Odpady komunalne", "Pojemniki ustawia się przed posesją do godziny 6:00 w dniu odbioru."),
    ("Odpady komunalne", "Deklarację składa się w pokoju 118."),
)


def best(question: str, pieces: tuple[tuple[str, str], ...] = REFUSE) -> int:
    return int(np.argmax(cross_encoder().log_odds(question, pieces)))


class TestShipped:
    @pytest.mark.parametrize(
        ("question", "wanted"),
        [
            ("Kiedy zabiorą starą kanapę?", 0),
            ("Do kiedy trzeba zapłacić za śmieci?", 1),
            ("O której najpóźniej wystawić kubeł?", 2),
            ("W którym pokoju zostawić papiery o śmieciach?", 3),
        ],
    )
    def test_what_answers_in_other_words_is_first(self, question: str, wanted: int) -> None:
        assert best(question) == wanted

    def test_what_says_nothing_of_the_matter_is_unlikely(self) -> None:
        answer, other = cross_encoder().log_odds(
            "Do kiedy trzeba zapłacić za śmieci?", [REFUSE[1], ("Biblioteka", "Książki wypożycza się na miesiąc.")]
        )
        assert answer > other + 1

    def test_a_piece_is_worth_the_same_whatever_is_read_beside_it(self) -> None:
        another = cross_encoder.__wrapped__()  # it has not read anything yet
        alone = another.log_odds("Kiedy zabiorą starą kanapę?", REFUSE[1:2])
        assert cross_encoder().log_odds("Kiedy zabiorą starą kanapę?", REFUSE)[1:2] == pytest.approx(alone, abs=1e-4)

    def test_a_piece_is_read_once_with_a_question(self, monkeypatch: pytest.MonkeyPatch) -> None:
        reader, forward, sizes = cross_encoder.__wrapped__(), CrossEncoder._forward, list[int]()

        def counted(self: CrossEncoder, asked: Any, above: Any, said: Any) -> Any:
            sizes.append(len(said.lemmas))
            return forward(self, asked, above, said)

        monkeypatch.setattr(CrossEncoder, "_forward", counted)
        first = reader.log_odds("Kiedy zabiorą starą kanapę?", REFUSE[:3])
        assert reader.log_odds("Kiedy zabiorą starą kanapę?", REFUSE[1:])[:2] == first[1:]
        reader.log_odds("Kto zabierze starą kanapę?", REFUSE[:1])
        assert sizes == [3, 1, 1]

    def test_nothing_and_empty_texts_are_read(self) -> None:
        assert cross_encoder().log_odds("Kiedy?", []) == []
        assert np.isfinite(cross_encoder().log_odds("", [("", ""), ("", "!")])).all()

    def test_no_number_has_a_place_of_its_own(self) -> None:
        """Who guesses at covered digits must not be answered otherwise for the right ones."""
        assert not [word for word in cross_encoder().frequent if any(map(str.isdigit, word)) and word[0] != "<"]


def test_words_are_read_by_lemma_and_numbers_by_their_kind() -> None:
    assert read_words("Opłaty: **5 %** | 1 200,50 zł", 10) == ["opłata", "5", "procent", "1200.50", "złoty"]
    assert read_words("raz dwa trzy", 2) == ["raz", "dwa"]
    assert [kind_of(word) for word in ("5", "1200.50", "2026", "123456789", "zł")] == [
        "<number 1>",
        "<decimal>",
        "<year>",
        "<number 5>",
        "zł",
    ]


def test_a_layer_is_that_of_pytorch() -> None:
    torch.manual_seed(0)
    layer = nn.TransformerEncoderLayer(16, 4, 32, batch_first=True, norm_first=True).eval()
    state, there = torch.randn(3, 5, 16), torch.tensor([[1, 1, 1, 1, 1], [1, 1, 1, 0, 0], [1, 0, 0, 0, 0]]).bool()
    weights = {f"layers.0.{name}": value.numpy() for name, value in layer.state_dict().items()}
    with torch.no_grad():
        wanted = layer(state, src_key_padding_mask=~there).numpy()
    found = CrossEncoder(weights, []).layer("layers.0", state.numpy(), there.numpy())
    assert found[there.numpy()] == pytest.approx(wanted[there.numpy()], abs=1e-4)
