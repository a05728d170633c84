"""Sketches of near-duplicates, versions of documents, places of personal data, the record of erasures."""

import django.contrib.postgres.fields
import django.contrib.postgres.indexes
import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("ingestion", "0013_job_control"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AlterModelOptions(
            name="collection",
            options={
                "ordering": ["name"],
                "permissions": [("see_personal_data", "Can see personal data that a collection masks")],
                "verbose_name": "collection",
                "verbose_name_plural": "collections",
            },
        ),
        migrations.AddField(
            model_name="chunk",
            name="original_text",
            field=models.TextField(
                default="",
                editable=False,
                help_text="What the document says, where an editor changed `text`; else empty.",
            ),
        ),
        migrations.AddField(
            model_name="collection",
            name="mask_personal_data",
            field=models.BooleanField(
                default=False,
                help_text="PESEL, NIP, accounts, e-mail and phones are covered for readers without the permission to see them.",
                verbose_name="mask personal data",
            ),
        ),
        migrations.AddField(
            model_name="extraction",
            name="checksum",
            field=models.CharField(
                blank=True, default="", help_text="Of the original it was read from.", max_length=64
            ),
        ),
        migrations.CreateModel(
            name="ChunkSketch",
            fields=[
                ("signature", models.BinaryField()),
                (
                    "bands",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.IntegerField(), default=list, size=None
                    ),
                ),
                (
                    "chunk",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="sketch",
                        serialize=False,
                        to="ingestion.chunk",
                    ),
                ),
            ],
            options={"indexes": [django.contrib.postgres.indexes.GinIndex(fields=["bands"], name="chunk_bands")]},
        ),
        migrations.CreateModel(
            name="DocumentSketch",
            fields=[
                ("signature", models.BinaryField()),
                (
                    "bands",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.IntegerField(), default=list, size=None
                    ),
                ),
                (
                    "document",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="sketch",
                        serialize=False,
                        to="ingestion.document",
                    ),
                ),
            ],
            options={"indexes": [django.contrib.postgres.indexes.GinIndex(fields=["bands"], name="document_bands")]},
        ),
        migrations.CreateModel(
            name="SimilarDocument",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("similarity", models.FloatField()),
                (
                    "document",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="similar",
                        to="ingestion.document",
                    ),
                ),
                (
                    "other",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="ingestion.document"
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("document", "other"), name="one_similarity_a_pair")
                ]
            },
        ),
        migrations.CreateModel(
            name="DocumentVersion",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.PositiveIntegerField(verbose_name="number")),
                ("label", models.CharField(blank=True, max_length=40, verbose_name="version")),
                ("file", models.FileField(max_length=200, upload_to="", verbose_name="original")),
                ("file_name", models.CharField(max_length=300, verbose_name="file name")),
                ("checksum", models.CharField(db_index=True, max_length=64, verbose_name="SHA-256")),
                ("size", models.PositiveBigIntegerField(default=0, verbose_name="size in bytes")),
                ("text", models.TextField(blank=True)),
                ("created", models.DateTimeField(verbose_name="added")),
                (
                    "author",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="added by",
                    ),
                ),
                (
                    "document",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="versions",
                        to="ingestion.document",
                        verbose_name="document",
                    ),
                ),
            ],
            options={
                "verbose_name": "version of a document",
                "verbose_name_plural": "versions of documents",
                "ordering": ["-number"],
                "constraints": [
                    models.UniqueConstraint(fields=("document", "number"), name="one_version_a_number")
                ],
            },
        ),
        migrations.CreateModel(
            name="PersonalData",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("pesel", "PESEL"),
                            ("nip", "NIP (tax number)"),
                            ("regon", "REGON"),
                            ("iban", "bank account"),
                            ("email", "e-mail address"),
                            ("phone", "phone number"),
                            ("identity_card", "identity card"),
                            ("passport", "passport"),
                        ],
                        max_length=14,
                    ),
                ),
                ("start", models.PositiveIntegerField()),
                ("end", models.PositiveIntegerField()),
                (
                    "document",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="personal_data",
                        to="ingestion.document",
                    ),
                ),
                (
                    "extraction",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="personal_data",
                        to="ingestion.extraction",
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(fields=["document", "kind"], name="personal_data_by_document"),
                    models.Index(fields=["extraction", "start"], include=("end",), name="personal_data_by_place"),
                ]
            },
        ),
        migrations.CreateModel(
            name="Erasure",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("document_number", models.BigIntegerField(verbose_name="number of the document")),
                ("counts", models.JSONField(default=dict, verbose_name="erased")),
                ("created", models.DateTimeField(auto_now_add=True, verbose_name="when")),
                (
                    "collection",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to="ingestion.collection",
                        verbose_name="collection",
                    ),
                ),
                (
                    "erased_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="erased by",
                    ),
                ),
            ],
            options={
                "verbose_name": "erasure",
                "verbose_name_plural": "erasures",
                "ordering": ["-created", "-pk"],
            },
        ),
    ]
