"""Why a document could not be taken in. The message and the remedy are shown to the editor as they are."""

from django.utils.translation import gettext_lazy as _

from knowledgetree.errors import KnowledgeTreeError


class IngestionError(KnowledgeTreeError):
    code = "ingestion_failed"
    status = 422


class WrongEmbedder(KnowledgeTreeError):
    """Vectors of two models cannot be compared, so nothing is searched or written."""

    code = "wrong_embedder"


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


class EmptyDocument(ExtractionError):
    code = "empty"
    remedy = _("Check that the file contains text.")


class NoTextLayer(ExtractionError):
    code = "no_text_layer"
    remedy = _("The pages are pictures. Run text recognition (OCR) on the file and upload it again.")


class DocumentTooLarge(ExtractionError):
    code = "too_large"
    remedy = _("Split the document into parts, or ask the administrator to raise the limit.")
