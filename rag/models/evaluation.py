"""Labelled question sets and what measuring on them gave. A run is a snapshot: it outlives its set."""

from django.contrib.postgres.fields import ArrayField
from django.core.validators import MinValueValidator
from django.db import models
from django.utils.translation import gettext_lazy as _

from ingestion.models import Collection


class EvaluationDataset(models.Model):
    """Questions with what is right for them.

    With a `collection` retrieval is measured there; without one the answers that an anonymous reader gets.
    """

    name = models.CharField(_("name"), max_length=100, unique=True)
    description = models.TextField(_("description"), blank=True)
    collection = models.ForeignKey(
        Collection,
        models.SET_NULL,
        null=True,
        blank=True,
        related_name="evaluation_datasets",
        verbose_name=_("collection"),
        help_text=_("Retrieval is measured in it; empty: answers are, over what everyone may read."),
    )
    created = models.DateTimeField(_("created"), auto_now_add=True)
    modified = models.DateTimeField(_("changed"), auto_now=True)

    class Meta:
        ordering = ["name"]
        verbose_name = _("evaluation dataset")
        verbose_name_plural = _("evaluation datasets")

    def __str__(self) -> str:
        return self.name


class EvaluationQuestion(models.Model):
    """`external_id` is the question's name in the file it came from; results are kept under it."""

    dataset = models.ForeignKey(
        EvaluationDataset, models.CASCADE, related_name="questions", verbose_name=_("evaluation dataset")
    )
    external_id = models.CharField(_("identifier"), max_length=200)
    text = models.TextField(_("question"))
    kind = models.CharField(
        _("kind of question"),
        max_length=40,
        blank=True,
        help_text=_("What is asked for, such as who, how_much or near_miss: results are shown by it."),
    )
    answerable = models.BooleanField(_("answered by the sources"), default=True)
    expected_answer = models.TextField(_("expected answer"), blank=True)
    expected_answer_contains = ArrayField(
        models.TextField(),
        verbose_name=_("words the answer must contain"),
        default=list,
        blank=True,
        help_text=_(
            "Between commas. Several ways to say the same are parted by |, as in: 60 minut | godzin*. "
            "A star stands for any ending; ! stands before what must not be there."
        ),
    )

    class Meta:
        ordering = ["pk"]
        verbose_name = _("evaluation question")
        verbose_name_plural = _("evaluation questions")
        constraints = [
            models.UniqueConstraint(fields=["dataset", "external_id"], name="one_question_an_identifier"),
        ]

    def __str__(self) -> str:
        return self.text


class Judgement(models.Model):
    """`document` (a URI) answers the question; the higher the grade, the better. What is not judged does not."""

    question = models.ForeignKey(EvaluationQuestion, models.CASCADE, related_name="judgements")
    document = models.CharField(_("URI of the document"), max_length=2000)
    grade = models.PositiveSmallIntegerField(_("grade"), default=1, validators=[MinValueValidator(1)])
    marked = models.DateTimeField(
        null=True,
        editable=False,
        db_index=True,
        help_text="When somebody marked it in hit testing; empty: it came with its set.",
    )

    class Meta:
        ordering = ["pk"]
        verbose_name = _("judgement")
        verbose_name_plural = _("judgements")
        constraints = [
            models.UniqueConstraint(fields=["question", "document"], name="one_judgement_a_document"),
            models.CheckConstraint(condition=models.Q(grade__gt=0), name="grade_above_zero"),
        ]

    def __str__(self) -> str:
        return f"{self.document}: {self.grade}"


class EvaluationRun(models.Model):
    """One measurement. Scores are in [0, 1], latencies in milliseconds.

    `metrics`: {measure: mean}; `scores`: {question: {measure: score}}; `latency`: {stage: {percentile: ms}};
    `outcomes`: {question: what it came to}, of answers alone (`rag.evaluation.everyday.outcomes`).
    """

    class Kind(models.TextChoices):
        RETRIEVAL = "retrieval", _("retrieval")
        ANSWERS = "answers", _("answers")

    dataset = models.CharField(_("dataset"), max_length=100)
    kind = models.CharField(_("kind"), max_length=10, choices=Kind.choices)
    preset = models.CharField(_("preset"), max_length=40)
    options = models.JSONField(_("options"), default=dict, blank=True)
    metrics = models.JSONField(_("measures"), default=dict)
    scores = models.JSONField(_("scores by question"), default=dict)
    outcomes = models.JSONField(_("outcomes by question"), default=dict)
    latency = models.JSONField(_("times"), default=dict)
    questions = models.PositiveIntegerField(_("questions"))
    version = models.CharField(_("version of the program"), max_length=100, blank=True)
    created = models.DateTimeField(_("created"), auto_now_add=True)

    class Meta:
        ordering = ["-created", "-pk"]
        verbose_name = _("evaluation run")
        verbose_name_plural = _("evaluation runs")
        indexes = [models.Index(fields=["dataset", "kind", "-created"], name="run_by_dataset")]

    def __str__(self) -> str:
        return f"{self.pk}: {self.dataset}, {self.get_kind_display()}, {self.preset}"
