"""Where personal data stand in the extracted texts."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from ingestion.models.documents import Document, Extraction


class PersonalData(models.Model):
    """Characters [start, end) of the extracted text are personal data of this kind; what they say is not repeated."""

    class Kind(models.TextChoices):
        PESEL = "pesel", _("PESEL")
        NIP = "nip", _("NIP (tax number)")
        REGON = "regon", _("REGON")
        IBAN = "iban", _("bank account")
        CARD = "card", _("payment card")
        EMAIL = "email", _("e-mail address")
        PHONE = "phone", _("phone number")
        IDENTITY_CARD = "identity_card", _("identity card")
        PASSPORT = "passport", _("passport")
        BIRTH_DATE = "birth_date", _("date of birth")
        ADDRESS = "address", _("postal address")
        PERSON = "person", _("name of a person")

    document = models.ForeignKey(Document, models.CASCADE, related_name="personal_data", db_index=False)
    extraction = models.ForeignKey(Extraction, models.CASCADE, related_name="personal_data", db_index=False)
    kind = models.CharField(max_length=14, choices=Kind.choices)
    start = models.PositiveIntegerField()
    end = models.PositiveIntegerField()

    class Meta:
        indexes = [
            models.Index(fields=["document", "kind"], name="personal_data_by_document"),
            models.Index(fields=["extraction", "start"], include=["end"], name="personal_data_by_place"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.extraction_id}:{self.start}"
