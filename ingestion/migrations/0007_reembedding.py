import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('ingestion', '0006_parts_of_chunks'),
    ]

    operations = [
        migrations.AddField(
            model_name='embeddingspace',
            name='activate_when_full',
            field=models.BooleanField(default=False, editable=False, verbose_name='activated as soon as it is full'),
        ),
        migrations.AddField(
            model_name='embeddingspace',
            name='error',
            field=models.TextField(blank=True, editable=False, verbose_name='what went wrong'),
        ),
        migrations.AddField(
            model_name='embeddingspace',
            name='gate',
            field=models.CharField(blank=True, editable=False, help_text='Evaluation dataset that must not get worse by the activation; empty: none is measured.', max_length=100, verbose_name='golden set'),
        ),
        migrations.AddField(
            model_name='embeddingspace',
            name='gate_margin',
            field=models.FloatField(default=0.01, editable=False, verbose_name='tolerated loss of nDCG@10'),
        ),
        migrations.AddField(
            model_name='embeddingspace',
            name='paused',
            field=models.BooleanField(default=False, editable=False, verbose_name='paused'),
        ),
        migrations.AddField(
            model_name='embeddingspace',
            name='retired',
            field=models.DateTimeField(editable=False, null=True, verbose_name='retired'),
        ),
        migrations.AddField(
            model_name='job',
            name='due',
            field=models.DateTimeField(help_text='After a failure that may pass.', null=True, verbose_name='not before'),
        ),
        migrations.AddField(
            model_name='job',
            name='failures',
            field=models.PositiveSmallIntegerField(default=0, verbose_name='failures in a row'),
        ),
        migrations.AddField(
            model_name='job',
            name='rate',
            field=models.FloatField(null=True, verbose_name='pieces a second'),
        ),
        migrations.AddField(
            model_name='job',
            name='space',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='jobs', to='ingestion.embeddingspace', verbose_name='embedding space'),
        ),
        migrations.AlterField(
            model_name='job',
            name='kind',
            field=models.CharField(choices=[('index_document', 'indexing a document'), ('reembed', 'computing vectors anew')], max_length=30, verbose_name='kind'),
        ),
        migrations.AlterField(
            model_name='job',
            name='stage',
            field=models.CharField(choices=[('waiting', 'waiting'), ('extracting', 'reading the text'), ('chunking', 'splitting'), ('analysing', 'analysing words'), ('embedding', 'computing vectors'), ('writing', 'writing the index'), ('indexing', 'building the index of vectors'), ('measuring', 'measuring the golden set'), ('finished', 'finished')], default='waiting', max_length=12, verbose_name='stage'),
        ),
        migrations.AddConstraint(
            model_name='job',
            constraint=models.UniqueConstraint(condition=models.Q(('kind', 'reembed'), ('status__in', ['queued', 'running'])), fields=('space',), name='one_unfinished_job_a_space'),
        ),
    ]
