"""Why a document could not be taken in. The message and the remedy are shown to the editor as they are."""

from django.utils.translation import gettext_lazy as _

from knowledgetree.errors import KnowledgeTreeError


class IngestionError(KnowledgeTreeError):
    code = "ingestion_failed"
    status = 422


class SourceRefused(IngestionError):
    """Nothing can be read from there, or nobody allowed it."""

    code = "source_refused"


class InvalidValidity(IngestionError):
    code = "invalid_validity"

    def __init__(self) -> None:
        super().__init__(_("“Valid to” must not be before “valid from”."))


class ChunksEdited(IngestionError):
    """Somebody edited a chunk while the document was read again: it is read once more, with the edit."""

    code = "chunks_edited"
    retryable = True

    def __init__(self) -> None:
        super().__init__(_("A chunk was edited while the document was read."))


class StorageFailed(IngestionError):
    """The disk is full or does not answer. Nothing is wrong with the file."""

    code = "storage"
    status = 507
    retryable = True
    remedy = _("Nothing was changed. The administrator should make room for originals; then try again.")


STORE_REMEDY = _("Nothing was changed. The store of originals does not answer; the administrator should run doctor.")


class WrongEmbedder(KnowledgeTreeError):
    """Vectors of two models cannot be compared, so nothing is searched or written."""

    code = "wrong_embedder"


class SpaceError(IngestionError):
    """An embedding space cannot do that now."""

    code = "space_state"
    status = 409


class RechunkingError(IngestionError):
    """The chunking cannot be changed like that, or not now."""

    code = "rechunking_state"
    status = 409


class NothingToRechunk(RechunkingError):
    """Every document is split as wished."""

    code = "nothing_to_rechunk"


class ActivationRefused(SpaceError):
    """The golden set got worse."""

    code = "activation_refused"


class JobStateError(IngestionError):
    """A job in this state cannot do that."""

    code = "job_state"
    status = 409


class ExtractionError(IngestionError):
    code = "extraction_failed"


class UnsupportedMediaType(ExtractionError):
    code = "unsupported_media_type"
    remedy = _("Convert the file to PDF, DOCX, HTML, Markdown or plain text and upload it again.")


class EncryptedDocument(ExtractionError):
    code = "encrypted"
    remedy = _("Remove the password from the file and upload it again.")


class CorruptDocument(ExtractionError):
    code = "corrupt"
    remedy = _("Open the file in the program it was made with, save it anew and upload it again.")


class DamagedOriginal(ExtractionError):
    """What is stored is not what was uploaded."""

    code = "original_damaged"
    remedy = _("Upload the file again.")


class EmptyDocument(ExtractionError):
    code = "empty"
    remedy = _("Check that the file contains text.")


class NoTextLayer(ExtractionError):
    code = "no_text_layer"
    remedy = _("The pages are pictures. Run text recognition (OCR) on the file and upload it again.")


class OcrUnavailable(ExtractionError):
    """Who raises it says what is missing."""

    code = "ocr_unavailable"


class DocumentTooLarge(ExtractionError):
    code = "too_large"
    remedy = _("Split the document into parts, or ask the administrator to raise the limit.")


class ParserCrashed(ExtractionError):
    """The process that read the file ended."""

    code = "parser_crashed"
    remedy = _("It is damaged or too much for the program: save it anew or split it, and upload it again.")


class ParserOutOfMemory(ExtractionError):
    code = "out_of_memory"
    remedy = _("Split the document into parts, or ask the administrator to raise the limit.")


class ParserTooSlow(ExtractionError):
    code = "too_slow"
    remedy = _("Split the document into parts, or ask the administrator to raise the limit.")


class PicturesBusy(IngestionError):
    """Too many pages are asked for at once."""

    code = "pictures_busy"
    status = 503
    retryable = True
    remedy = _("Try again in a moment.")


class EmbeddingFailed(KnowledgeTreeError):
    code = "embedding_failed"
    status = 502


class EmbedderUnavailable(EmbeddingFailed):
    """The endpoint is down, overloaded or too slow; nothing is wrong with the text."""

    code = "embedder_unavailable"
    status = 503
    retryable = True
    remedy = _("Nothing is lost. Try again when the embedding service answers.")


class EmbeddingRefused(EmbeddingFailed):
    """The endpoint understood the request and does not want it: wrong key, address or model."""

    code = "embedding_refused"
    remedy = _("The administrator should check EMBEDDING_URL, EMBEDDING_API_KEY and EMBEDDING_MODEL.")


class InvalidEmbedding(EmbeddingFailed):
    """What came back is not one finite vector of the space's dimension for every text."""

    code = "invalid_embedding"
    remedy = _("The administrator should check EMBEDDING_URL, EMBEDDING_DIALECT and EMBEDDING_MODEL.")


class GenerationNotReady(IngestionError):
    """Searches cannot look into a generation of the search engine that is not full."""

    code = "generation_not_ready"
    status = 409
    remedy = _("Fill one: knowledgetree engine rebuild")
