"""Synonyms with the lemmas by which questions find them, the imported thesaurus, the glossary."""

import django.contrib.postgres.fields
import django.contrib.postgres.indexes
import django.core.validators
import django.db.models.deletion
from django.db import migrations, models

from ingestion.text.phrases import phrase_of


def lemmatise_synonyms(apps, schema_editor):
    rows = apps.get_model("ingestion", "Synonym").objects
    for synonym in rows.iterator():
        rows.filter(pk=synonym.pk).update(phrase=phrase_of(synonym.text)[:1000])


def bound_weights(apps, schema_editor):
    groups = apps.get_model("ingestion", "SynonymGroup").objects
    groups.filter(weight__lte=0).update(weight=0.01)
    groups.filter(weight__gte=1).update(weight=0.99)


class Migration(migrations.Migration):

    dependencies = [
        ('ingestion', '0003_recovery_schedule'),
    ]

    operations = [
        migrations.CreateModel(
            name='GlossaryEntry',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('term', models.CharField(max_length=200, verbose_name='term')),
                ('definition', models.TextField(blank=True, verbose_name='definition')),
                ('aliases', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=200), blank=True, default=list, help_text='One a line, in the base form: abbreviations, former names, what people say.', size=None, verbose_name='other names')),
                ('kind', models.CharField(blank=True, help_text='For example: system, unit, form.', max_length=60, verbose_name='kind')),
                ('phrases', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=1000), default=list, editable=False, size=None)),
                ('modified', models.DateTimeField(auto_now=True, verbose_name='changed')),
            ],
            options={
                'verbose_name': 'glossary entry',
                'verbose_name_plural': 'glossary',
                'ordering': ['term', 'pk'],
            },
        ),
        migrations.AlterModelOptions(
            name='synonymgroup',
            options={'ordering': ['name', 'pk'], 'verbose_name': 'synonym group', 'verbose_name_plural': 'synonym groups'},
        ),
        migrations.AddField(
            model_name='synonym',
            name='phrase',
            field=models.CharField(default='', editable=False, max_length=1000),
        ),
        migrations.AddField(
            model_name='synonymgroup',
            name='source',
            field=models.CharField(choices=[('synonym', 'editors'), ('thesaurus', 'thesaurus')], default='synonym', editable=False, max_length=10, verbose_name='written by'),
        ),
        migrations.AlterField(
            model_name='synonymgroup',
            name='weight',
            field=models.FloatField(default=0.5, help_text='Against 1.0 of a typed word.', validators=[django.core.validators.MinValueValidator(0.01), django.core.validators.MaxValueValidator(0.99)], verbose_name='weight'),
        ),
        migrations.RunPython(lemmatise_synonyms, migrations.RunPython.noop),
        migrations.RunPython(bound_weights, migrations.RunPython.noop),
        migrations.AddIndex(
            model_name='synonym',
            index=models.Index(fields=['phrase'], name='synonym_phrase'),
        ),
        migrations.AddConstraint(
            model_name='synonymgroup',
            constraint=models.CheckConstraint(condition=models.Q(('weight__gt', 0), ('weight__lt', 1)), name='a_synonym_weighs_less_than_a_typed_word'),
        ),
        migrations.AddField(
            model_name='glossaryentry',
            name='collection',
            field=models.ForeignKey(blank=True, help_text='Empty: every collection.', null=True, on_delete=django.db.models.deletion.CASCADE, related_name='glossary', to='ingestion.collection', verbose_name='collection'),
        ),
        migrations.AddIndex(
            model_name='glossaryentry',
            index=django.contrib.postgres.indexes.GinIndex(fastupdate=False, fields=['phrases'], name='glossary_phrases'),
        ),
        migrations.AddConstraint(
            model_name='glossaryentry',
            constraint=models.UniqueConstraint(fields=('collection', 'term'), name='one_entry_a_term', nulls_distinct=False),
        ),
    ]
