"""Sources that are read: what is known of their addresses, reports, schedules, and what editors set by hand."""

import django.contrib.postgres.fields
import django.core.validators
import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ("ingestion", "0011_knowledge_version"),
    ]

    operations = [
        migrations.CreateModel(
            name='SourceAddress',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('uri', models.CharField(max_length=2000, verbose_name='address')),
                ('state', models.CharField(choices=[('current', 'there'), ('unread', 'not read yet'), ('waiting', 'gone, waits for a decision'), ('archived', 'gone, archived'), ('retained', 'gone, kept')], default='current', max_length=10, verbose_name='state')),
                ('etag', models.TextField(blank=True)),
                ('last_modified', models.TextField(blank=True)),
                ('checksum', models.CharField(blank=True, max_length=64)),
                ('links', django.contrib.postgres.fields.ArrayField(base_field=models.TextField(), blank=True, default=list, size=None)),
                ('outcome', models.CharField(blank=True, max_length=10)),
                ('since', models.DateTimeField(auto_now_add=True, verbose_name='since')),
            ],
            options={
                'verbose_name': 'address',
                'verbose_name_plural': 'addresses',
                'ordering': ['uri'],
            },
        ),
        migrations.CreateModel(
            name='SyncReport',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('status', models.CharField(choices=[('running', 'running'), ('succeeded', 'succeeded'), ('failed', 'failed'), ('cancelled', 'cancelled')], default='running', max_length=10, verbose_name='status')),
                ('started', models.DateTimeField(auto_now_add=True, verbose_name='started')),
                ('finished', models.DateTimeField(null=True, verbose_name='finished')),
                ('counts', models.JSONField(default=dict, verbose_name='numbers')),
                ('lists', models.JSONField(default=dict, verbose_name='addresses')),
                ('error', models.TextField(blank=True, verbose_name='error and what to do')),
            ],
            options={
                'verbose_name': 'synchronisation',
                'verbose_name_plural': 'synchronisations',
                'ordering': ['-started', '-pk'],
            },
        ),
        migrations.AddField(
            model_name='document',
            name='edited',
            field=django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=30), blank=True, default=list, editable=False, help_text='Fields that an editor set; a synchronisation leaves them alone.', size=None, verbose_name='set by hand'),
        ),
        migrations.AddField(
            model_name='job',
            name='source',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='jobs', to='ingestion.source', verbose_name='source'),
        ),
        migrations.AddField(
            model_name='source',
            name='category',
            field=models.CharField(blank=True, max_length=100, verbose_name='category'),
        ),
        migrations.AddField(
            model_name='source',
            name='delay',
            field=models.FloatField(default=1.0, help_text='Seconds; robots.txt may ask for more.', validators=[django.core.validators.MinValueValidator(0), django.core.validators.MaxValueValidator(60)], verbose_name='pause between requests'),
        ),
        migrations.AddField(
            model_name='source',
            name='exclude',
            field=django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=300), blank=True, default=list, help_text='Patterns of paths, one a line. A document that they leave out later counts as gone.', size=None, verbose_name='leave out'),
        ),
        migrations.AddField(
            model_name='source',
            name='gone_policy',
            field=models.CharField(choices=[('archive', 'archive it at once'), ('confirm', 'archive it after confirmation'), ('keep', 'keep it')], default='confirm', help_text='An archived document is out of search; it can be restored, and comes back when its page does.', max_length=8, verbose_name='a document that is gone from there'),
        ),
        migrations.AddField(
            model_name='source',
            name='include',
            field=django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=300), blank=True, default=list, help_text='Patterns of paths, one a line, such as /law/* or *.pdf; * stands for anything. Empty: all.', size=None, verbose_name='take only'),
        ),
        migrations.AddField(
            model_name='source',
            name='language',
            field=models.CharField(default='pl', max_length=8, verbose_name='language'),
        ),
        migrations.AddField(
            model_name='source',
            name='max_depth',
            field=models.PositiveSmallIntegerField(default=5, help_text='Links away from the first page.', validators=[django.core.validators.MaxValueValidator(50)], verbose_name='depth'),
        ),
        migrations.AddField(
            model_name='source',
            name='max_pages',
            field=models.PositiveIntegerField(default=500, validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(100000)], verbose_name='pages at most'),
        ),
        migrations.AddField(
            model_name='source',
            name='obey_robots',
            field=models.BooleanField(default=True, help_text='Switch it off only for a site of your own.', verbose_name='obey robots.txt'),
        ),
        migrations.AddField(
            model_name='source',
            name='rhythm',
            field=models.CharField(blank=True, choices=[('hourly', 'every hour'), ('daily', 'every night'), ('weekly', 'every Saturday night'), ('cron', 'as a cron expression says')], max_length=8, verbose_name='synchronise'),
        ),
        migrations.AddField(
            model_name='source',
            name='tags',
            field=django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=60), blank=True, default=list, help_text='Separated by commas.', size=None, verbose_name='tags'),
        ),
        migrations.AlterField(
            model_name='job',
            name='kind',
            field=models.CharField(choices=[('index_document', 'indexing a document'), ('reembed', 'computing vectors anew'), ('sync_source', 'synchronising a source')], max_length=30, verbose_name='kind'),
        ),
        migrations.AlterField(
            model_name='job',
            name='stage',
            field=models.CharField(choices=[('waiting', 'waiting'), ('reading', 'reading the source'), ('extracting', 'reading the text'), ('chunking', 'splitting'), ('analysing', 'analysing words'), ('embedding', 'computing vectors'), ('writing', 'writing the index'), ('indexing', 'building the index of vectors'), ('measuring', 'measuring the golden set'), ('finished', 'finished')], default='waiting', max_length=12, verbose_name='stage'),
        ),
        migrations.AlterField(
            model_name='source',
            name='kind',
            field=models.CharField(choices=[('upload', 'upload'), ('folder', 'server folder'), ('web', 'web page'), ('site', 'web site, page by page'), ('sitemap', 'pages of a sitemap'), ('feed', 'JSON feed')], default='upload', max_length=10, verbose_name='kind'),
        ),
        migrations.AlterField(
            model_name='source',
            name='options',
            field=models.JSONField(blank=True, default=dict, editable=False, verbose_name='options'),
        ),
        migrations.AlterField(
            model_name='source',
            name='schedule',
            field=models.CharField(blank=True, help_text='Minute, hour, day of month, month, day of week; 30 6 * * 1-5: on working days at 6:30.', max_length=100, verbose_name='cron expression'),
        ),
        migrations.AddConstraint(
            model_name='job',
            constraint=models.UniqueConstraint(condition=models.Q(('kind', 'sync_source'), ('status__in', ['queued', 'running'])), fields=('source',), name='one_unfinished_job_a_source'),
        ),
        migrations.AlterConstraint(
            model_name='source',
            name='one_source_a_location',
            constraint=models.UniqueConstraint(fields=('collection', 'kind', 'location'), name='one_source_a_location', violation_error_message='This collection has a source of this kind and location already.'),
        ),
        migrations.AddField(
            model_name='sourceaddress',
            name='document',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='ingestion.document', verbose_name='document'),
        ),
        migrations.AddField(
            model_name='sourceaddress',
            name='source',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='addresses', to='ingestion.source', verbose_name='source'),
        ),
        migrations.AddField(
            model_name='syncreport',
            name='job',
            field=models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='report', to='ingestion.job', verbose_name='job'),
        ),
        migrations.AddField(
            model_name='syncreport',
            name='source',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='reports', to='ingestion.source', verbose_name='source'),
        ),
        migrations.AddField(
            model_name='sourceaddress',
            name='report',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='ingestion.syncreport'),
        ),
        migrations.AddIndex(
            model_name='sourceaddress',
            index=models.Index(fields=['source', 'state'], name='ingestion_s_source__0f3805_idx'),
        ),
        migrations.AddConstraint(
            model_name='sourceaddress',
            constraint=models.UniqueConstraint(fields=('source', 'uri'), name='one_address_a_source'),
        ),
    ]
