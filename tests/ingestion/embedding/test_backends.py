"""The other ways to compute what torch computes. Their packages want an older transformers, so that most
environments have none of them: see the extras `onnx` and `openvino`.
"""

import importlib.util
import shutil
import socket
from pathlib import Path

import numpy as np
import pytest
from django.core.exceptions import ImproperlyConfigured

from ingestion.embedding.protocol import Embedder
from ingestion.embedding.sentence_transformer import SentenceTransformerEmbedder
from tests.ingestion.embedding.contract import EmbedderContract
from tests.ingestion.embedding.models import build_model

TEXTS = ["Urlop wypoczynkowy trwa 26 dni.", "Faktura", "Zażółć gęślą jaźń " * 12, ""]
MODULES = {"onnx": "optimum.onnxruntime", "openvino": "optimum.intel"}


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_model(tmp_path_factory.mktemp("model"), name="multilingual-e5-tiny")


@pytest.mark.slow
class Backend(EmbedderContract):
    """What each of them promises beside the contract."""

    name = ""
    tolerance = 1e-5

    @pytest.fixture(autouse=True)
    def _installed(self) -> None:
        if not _importable(MODULES[self.name]):
            pytest.skip(f"pip install 'knowledgetree[{self.name}]' into an environment of its own")

    @pytest.fixture
    def embedder(self, model: Path) -> Embedder:
        return SentenceTransformerEmbedder(str(model), backend=self.name, batch_size=4)

    def rebuilt(self, embedder: Embedder, **identity: object) -> Embedder:
        return SentenceTransformerEmbedder(backend=self.name, batch_size=4, **identity)

    def test_the_vectors_are_those_of_torch(self, embedder: Embedder, model: Path) -> None:
        """So a space that was filled with one of them may be searched with another."""
        torch = SentenceTransformerEmbedder(str(model))
        np.testing.assert_allclose(embedder.embed_passages(TEXTS), torch.embed_passages(TEXTS), atol=self.tolerance)
        np.testing.assert_allclose(embedder.embed_query(TEXTS[0]), torch.embed_query(TEXTS[0]), atol=self.tolerance)
        assert embedder.identity == torch.identity

    def test_options_reach_the_model(self, model: Path) -> None:
        """Its longest text and the number of dimensions."""
        options = {"max_seq_length": 8, "truncate_dim": 16}
        short = SentenceTransformerEmbedder(str(model), backend=self.name, **options)
        torch = SentenceTransformerEmbedder(str(model), **options)
        assert short.dimension == 16
        np.testing.assert_allclose(short.embed_passages(TEXTS), torch.embed_passages(TEXTS), atol=self.tolerance)

    def test_a_folder_that_may_only_be_read_is_no_obstacle(
        self, model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """The model is converted in a temporary folder at each start; nothing is written beside it, nothing asked of
        the network.
        """
        folder = Path(shutil.copytree(model, tmp_path / "multilingual-e5-tiny"))
        before = _files(folder)
        for path in [folder, *folder.rglob("*")]:
            path.chmod(0o555 if path.is_dir() else 0o444)
        monkeypatch.setattr(socket.socket, "connect", lambda *_: pytest.fail("the network was asked"))
        SentenceTransformerEmbedder(str(folder), backend=self.name).embed_query("urlop")
        assert _files(folder) == before

    def test_a_model_that_was_converted_before_is_read_as_it_is(self, model: Path, tmp_path: Path) -> None:
        from sentence_transformers import SentenceTransformer

        folder = tmp_path / "multilingual-e5-tiny"
        SentenceTransformer(str(model), backend=self.name).save_pretrained(str(folder))
        assert any(path.parent.name == self.name for path in folder.rglob("*"))
        for weights in folder.glob("*.safetensors"):
            weights.unlink()  # nothing is left to convert
        saved = SentenceTransformerEmbedder(str(folder), backend=self.name)
        torch = SentenceTransformerEmbedder(str(model))
        np.testing.assert_allclose(saved.embed_passages(TEXTS), torch.embed_passages(TEXTS), atol=self.tolerance)


class TestONNX(Backend):
    name = "onnx"


class TestOpenVINO(Backend):
    name = "openvino"
    tolerance = 1e-4

    def test_no_start_is_reported_to_its_maker(self, embedder: Embedder) -> None:
        import openvino.tools.ovc.telemetry_utils as reports

        assert reports.tm.__name__ == "openvino.tools.ovc.telemetry_stub"


@pytest.mark.slow
class TestWhatIsMissingIsSaid:
    @pytest.mark.parametrize("backend", sorted(MODULES))
    def test_packages_of_a_backend(self, model: Path, backend: str) -> None:
        if _importable(MODULES[backend]):
            pytest.skip("they are installed")
        with pytest.raises(ImproperlyConfigured, match=rf"pip install 'knowledgetree\[{backend}\]'"):
            SentenceTransformerEmbedder(str(model), backend=backend)

    @pytest.mark.parametrize("backend", sorted(MODULES))
    def test_the_runtime_alone_is_not_enough(
        self, model: Path, backend: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        if _importable(MODULES[backend]):
            pytest.skip("the converter is installed")
        for package in ("onnxruntime", "openvino"):
            (tmp_path / package).mkdir()
            (tmp_path / package / "__init__.py").touch()
        monkeypatch.syspath_prepend(tmp_path)
        with pytest.raises(ImproperlyConfigured, match=rf"pip install 'knowledgetree\[{backend}\]'"):
            SentenceTransformerEmbedder(str(model), backend=backend)


def _importable(module: str) -> bool:
    try:
        return importlib.util.find_spec(module) is not None
    except ModuleNotFoundError:  # the package that it would stand in
        return False


def _files(folder: Path) -> dict[str, int]:
    return {str(path.relative_to(folder)): path.stat().st_mtime_ns for path in folder.rglob("*")}
