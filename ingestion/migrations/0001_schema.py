"""Every table of the knowledge base. What Django has no words for comes in the migrations after it."""

import django.contrib.postgres.fields
import django.contrib.postgres.indexes
import django.core.validators
import django.db.models.deletion
import django.utils.timezone
import pgvector.django.vector
import uuid
from django.conf import settings
from django.db import migrations, models
from pgvector.django import VectorExtension


class Migration(migrations.Migration):
    # Those of the time before 0.1.0; a database that has them all needs none of this.
    replaces = [
        ("ingestion", name)
        for name in """
        0001_initial 0003_recovery_schedule 0004_expansion 0005_maintenance_schedule 0006_parts_of_chunks
        0007_reembedding 0010_lemmas_of_terms 0012_sources 0013_job_control 0014_duplicates_versions_personal
        0015_job_attempts 0016_rechunking 0017_measurement_jobs 0018_forward_index 0019_community_jobs
        0021_names_version 0022_given_and_edited
        """.split()
    ]

    initial = True

    dependencies = [
        ("auth", "0012_alter_user_first_name_max_length"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        VectorExtension(),
        migrations.CreateModel(
            name='Collection',
            fields=[
                ('id', models.AutoField(primary_key=True, serialize=False)),
                ('name', models.CharField(max_length=200, verbose_name='name')),
                ('slug', models.SlugField(help_text='Used in addresses and commands.', max_length=80, unique=True, verbose_name='identifier')),
                ('description', models.TextField(blank=True, verbose_name='description')),
                ('visibility', models.CharField(choices=[('public', 'public: everyone'), ('internal', 'internal: every signed-in user'), ('restricted', 'restricted: members of chosen groups')], default='restricted', max_length=12, verbose_name='who may read')),
                ('preset', models.CharField(blank=True, max_length=40, verbose_name='preset')),
                ('lemma_weight', models.FloatField(default=1.0, verbose_name='weight of lemmas')),
                ('form_weight', models.FloatField(default=0.3, verbose_name='weight of word forms')),
                ('created', models.DateTimeField(auto_now_add=True, verbose_name='created')),
                ('groups', models.ManyToManyField(blank=True, help_text='Groups whose members may read a restricted collection.', related_name='collections', to='auth.group', verbose_name='groups')),
                ('mask_personal_data', models.BooleanField(default=False, help_text='PESEL, NIP, accounts, e-mail and phones are covered for readers without the permission to see them.', verbose_name='mask personal data')),
                ('chunking', models.JSONField(blank=True, default=dict, editable=False, help_text='Set by a change of chunking; empty: as the settings say.', verbose_name='chunking')),
            ],
            options={
                'verbose_name': 'collection',
                'verbose_name_plural': 'collections',
                'ordering': ['name'],
                'permissions': [('see_personal_data', 'Can see personal data that a collection masks')],
            },
        ),
        migrations.CreateModel(
            name='CollectionStatistics',
            fields=[
                ('collection', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='statistics', serialize=False, to='ingestion.collection')),
                ('chunks', models.BigIntegerField(default=0)),
                ('words', models.BigIntegerField(default=0)),
                ('late', django.contrib.postgres.fields.ArrayField(base_field=models.IntegerField(), db_default=[], default=list, size=None)),
                ('packed_to', models.IntegerField(db_default=0, default=0)),
                ('packing_to', models.IntegerField(db_default=0, default=0)),
            ],
        ),
        migrations.CreateModel(
            name='EmbeddingSpace',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.SlugField(max_length=80, unique=True, verbose_name='name')),
                ('embedder', models.CharField(help_text='Its name in the settings.', max_length=60, verbose_name='embedder')),
                ('model', models.CharField(max_length=300, verbose_name='model')),
                ('dimension', models.PositiveIntegerField(verbose_name='dimension')),
                ('template_version', models.PositiveSmallIntegerField(default=1, verbose_name='template version')),
                ('status', models.CharField(choices=[('building', 'being built'), ('active', 'active'), ('retired', 'retired')], default='building', max_length=10, verbose_name='status')),
                ('fusion', models.JSONField(blank=True, default=dict, help_text='method: rrf, weighted or max; dense_weight: 0 to 1; min_similarity: cosine below which nothing counts.', verbose_name='fusion')),
                ('created', models.DateTimeField(auto_now_add=True, verbose_name='created')),
                ('activated', models.DateTimeField(editable=False, null=True, verbose_name='activated')),
                ('calibration', models.JSONField(blank=True, default=dict, editable=False, help_text="By reranker, the weights that turn a passage's signals into its relevance.", verbose_name='calibration')),
                ('options', models.JSONField(blank=True, default=dict, help_text='Those of the embedder that decide its vectors; the space keeps them when the settings change.', verbose_name='options')),
                ('sentence_vectors', models.BooleanField(default=False, help_text="A vector for every sentence besides the chunk's: finds a detail in a long chunk.", verbose_name='vectors of sentences')),
                ('activate_when_full', models.BooleanField(default=False, editable=False, verbose_name='activated as soon as it is full')),
                ('error', models.TextField(blank=True, editable=False, verbose_name='what went wrong')),
                ('gate', models.CharField(blank=True, editable=False, help_text='Evaluation dataset that must not get worse by the activation; empty: none is measured.', max_length=100, verbose_name='golden set')),
                ('gate_margin', models.FloatField(default=0.01, editable=False, verbose_name='tolerated loss of nDCG@10')),
                ('paused', models.BooleanField(default=False, editable=False, verbose_name='paused')),
                ('retired', models.DateTimeField(editable=False, null=True, verbose_name='retired')),
            ],
            options={
                'verbose_name': 'embedding space',
                'verbose_name_plural': 'embedding spaces',
                'ordering': ['-created'],
                'constraints': [models.UniqueConstraint(condition=models.Q(('status', 'active')), fields=('status',), name='one_active_space')],
            },
        ),
        migrations.CreateModel(
            name='Source',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('upload', 'upload'), ('folder', 'server folder'), ('web', 'web page'), ('site', 'web site, page by page'), ('sitemap', 'pages of a sitemap'), ('feed', 'JSON feed')], default='upload', max_length=10, verbose_name='kind')),
                ('name', models.CharField(max_length=200, verbose_name='name')),
                ('location', models.CharField(blank=True, help_text='Folder path or web address.', max_length=2000, verbose_name='location')),
                ('options', models.JSONField(blank=True, default=dict, editable=False, verbose_name='options')),
                ('schedule', models.CharField(blank=True, help_text='Minute, hour, day of month, month, day of week; 30 6 * * 1-5: on working days at 6:30.', max_length=100, verbose_name='cron expression')),
                ('last_synced', models.DateTimeField(blank=True, editable=False, null=True, verbose_name='last synchronised')),
                ('last_result', models.JSONField(blank=True, default=dict, editable=False, verbose_name='last result')),
                ('collection', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='sources', to='ingestion.collection', verbose_name='collection')),
                ('owner', models.ForeignKey(blank=True, editable=False, null=True, on_delete=django.db.models.deletion.SET_NULL, to=settings.AUTH_USER_MODEL, verbose_name='added by')),
                ('category', models.CharField(blank=True, max_length=100, verbose_name='category')),
                ('delay', models.FloatField(default=1.0, help_text='Seconds; robots.txt may ask for more.', validators=[django.core.validators.MinValueValidator(0), django.core.validators.MaxValueValidator(60)], verbose_name='pause between requests')),
                ('exclude', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=300), blank=True, default=list, help_text='Patterns of paths, one a line. A document that they leave out later counts as gone.', size=None, verbose_name='leave out')),
                ('gone_policy', models.CharField(choices=[('archive', 'archive it at once'), ('confirm', 'archive it after confirmation'), ('keep', 'keep it')], default='confirm', help_text='An archived document is out of search; it can be restored, and comes back when its page does.', max_length=8, verbose_name='a document that is gone from there')),
                ('include', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=300), blank=True, default=list, help_text='Patterns of paths, one a line, such as /law/* or *.pdf; * stands for anything. Empty: all.', size=None, verbose_name='take only')),
                ('language', models.CharField(default='pl', max_length=8, verbose_name='language')),
                ('max_depth', models.PositiveSmallIntegerField(default=5, help_text='Links away from the first page.', validators=[django.core.validators.MaxValueValidator(50)], verbose_name='depth')),
                ('max_pages', models.PositiveIntegerField(default=500, validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(100000)], verbose_name='pages at most')),
                ('obey_robots', models.BooleanField(default=True, help_text='Switch it off only for a site of your own.', verbose_name='obey robots.txt')),
                ('rhythm', models.CharField(blank=True, choices=[('hourly', 'every hour'), ('daily', 'every night'), ('weekly', 'every Saturday night'), ('cron', 'as a cron expression says')], max_length=8, verbose_name='synchronise')),
                ('tags', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=60), blank=True, default=list, help_text='Separated by commas.', size=None, verbose_name='tags')),
            ],
            options={
                'verbose_name': 'source',
                'verbose_name_plural': 'sources',
                'ordering': ['name'],
                'constraints': [models.UniqueConstraint(fields=('collection', 'kind', 'location'), name='one_source_a_location', violation_error_message='This collection has a source of this kind and location already.')],
            },
        ),
        migrations.CreateModel(
            name='Document',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('title', models.CharField(max_length=500, verbose_name='title')),
                ('uri', models.CharField(help_text='Where the document comes from; unique in a collection.', max_length=2000, verbose_name='URI')),
                ('file', models.FileField(blank=True, editable=False, max_length=200, upload_to='', verbose_name='original')),
                ('file_name', models.CharField(blank=True, max_length=300, verbose_name='file name')),
                ('media_type', models.CharField(blank=True, max_length=120, verbose_name='type')),
                ('checksum', models.CharField(blank=True, editable=False, max_length=64, verbose_name='SHA-256')),
                ('size', models.PositiveBigIntegerField(default=0, editable=False, verbose_name='size in bytes')),
                ('language', models.CharField(default='pl', max_length=8, verbose_name='language')),
                ('category', models.CharField(blank=True, max_length=100, verbose_name='category')),
                ('tags', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=60), blank=True, default=list, size=None, verbose_name='tags')),
                ('version', models.CharField(blank=True, max_length=40, verbose_name='version')),
                ('valid_from', models.DateField(blank=True, null=True, verbose_name='valid from')),
                ('valid_to', models.DateField(blank=True, null=True, verbose_name='valid to')),
                ('metadata', models.JSONField(blank=True, default=dict, verbose_name='metadata')),
                ('status', models.CharField(choices=[('queued', 'queued'), ('processing', 'processing'), ('ready', 'ready'), ('failed', 'failed'), ('archived', 'archived')], default='queued', editable=False, max_length=12, verbose_name='status')),
                ('error_code', models.CharField(blank=True, editable=False, max_length=60, verbose_name='error code')),
                ('error_message', models.TextField(blank=True, editable=False, verbose_name='what to do')),
                ('warnings', models.JSONField(blank=True, default=list, editable=False, verbose_name='warnings')),
                ('chunk_count', models.PositiveIntegerField(default=0, editable=False, verbose_name='chunks')),
                ('created', models.DateTimeField(auto_now_add=True, verbose_name='added')),
                ('modified', models.DateTimeField(auto_now=True, verbose_name='changed')),
                ('indexed', models.DateTimeField(blank=True, editable=False, null=True, verbose_name='indexed')),
                ('collection', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='documents', to='ingestion.collection', verbose_name='collection')),
                ('source', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='documents', to='ingestion.source', verbose_name='source')),
                ('edited', django.contrib.postgres.fields.ArrayField(base_field=models.TextField(), blank=True, default=list, editable=False, help_text='Fields that an editor set; nothing that brings the document again changes them.', size=None, verbose_name='set by an editor')),
                ('chunking', models.JSONField(blank=True, default=dict, editable=False, help_text='How its chunks were made; see `ingestion.chunking.splitting.mark`. Empty: before that was noted.')),
                ('names_version', models.PositiveSmallIntegerField(default=0, editable=False, help_text='Which `ingestion.index.graph.NAMES_VERSION` recognised what it names.')),
                ('given', models.JSONField(blank=True, default=dict, editable=False, help_text='What its file and whoever brought it say of it.')),
            ],
            options={
                'verbose_name': 'document',
                'verbose_name_plural': 'documents',
                'ordering': ['-modified', '-pk'],
                'indexes': [
                    models.Index(fields=['checksum'], name='ingestion_d_checksu_4985c3_idx'),
                    django.contrib.postgres.indexes.GinIndex(fields=['tags'], name='document_tags'),
                    django.contrib.postgres.indexes.GinIndex(fields=['metadata'], name='document_metadata', opclasses=['jsonb_path_ops']),
                ],
                'constraints': [
                    models.UniqueConstraint(fields=('collection', 'uri'), name='one_document_a_uri'),
                    models.CheckConstraint(condition=models.Q(('valid_to__isnull', True), ('valid_from__isnull', True), ('valid_to__gte', models.F('valid_from')), _connector='OR'), name='validity_in_order', violation_error_message='“Valid to” must not be before “valid from”.'),
                ],
            },
        ),
        migrations.CreateModel(
            name='Extraction',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('extractor', models.CharField(max_length=60)),
                ('text', models.TextField()),
                ('page_starts', django.contrib.postgres.fields.ArrayField(base_field=models.PositiveIntegerField(), default=list, help_text='Character at which each page begins; empty: no pages.', size=None)),
                ('created', models.DateTimeField(auto_now_add=True)),
                ('document', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='extractions', to='ingestion.document')),
                ('checksum', models.CharField(blank=True, default='', help_text='Of the original it was read from.', max_length=64)),
            ],
            options={
                'verbose_name': 'extracted text',
                'verbose_name_plural': 'extracted texts',
                'constraints': [models.UniqueConstraint(fields=('document', 'extractor'), name='one_text_an_extractor')],
            },
        ),
        migrations.CreateModel(
            name='Chunk',
            fields=[
                ('id', models.AutoField(primary_key=True, serialize=False)),
                ('ordinal', models.PositiveIntegerField(verbose_name='number')),
                ('kind', models.CharField(choices=[('text', 'text'), ('table', 'table'), ('code', 'code'), ('list', 'list')], default='text', max_length=8, verbose_name='kind')),
                ('text', models.TextField(verbose_name='text')),
                ('start', models.PositiveIntegerField()),
                ('end', models.PositiveIntegerField()),
                ('line_start', models.PositiveIntegerField()),
                ('line_end', models.PositiveIntegerField()),
                ('page_start', models.PositiveIntegerField(null=True)),
                ('page_end', models.PositiveIntegerField(null=True)),
                ('heading_path', django.contrib.postgres.fields.ArrayField(base_field=models.TextField(), blank=True, default=list, size=None, verbose_name='headings')),
                ('context_before', models.TextField(blank=True)),
                ('context_after', models.TextField(blank=True)),
                ('enabled', models.BooleanField(default=True, verbose_name='searched')),
                ('retrieval_quality', models.CharField(blank=True, editable=False, max_length=8)),
                ('last_quality_check', models.DateTimeField(editable=False, null=True)),
                ('collection', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='ingestion.collection', verbose_name='collection')),
                ('document', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='chunks', to='ingestion.document', verbose_name='document')),
                ('extraction', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='chunks', to='ingestion.extraction')),
                ('original_text', models.TextField(default='', editable=False, help_text='What the document says, where an editor changed `text`; else empty.')),
            ],
            options={
                'verbose_name': 'chunk',
                'verbose_name_plural': 'chunks',
                'ordering': ['document', 'ordinal'],
                'constraints': [models.UniqueConstraint(fields=('extraction', 'ordinal'), name='one_chunk_an_ordinal')],
            },
        ),
        migrations.CreateModel(
            name='SynonymGroup',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=200, verbose_name='name')),
                ('direction', models.CharField(choices=[('two_way', 'two-way'), ('one_way', 'one-way: the first word finds the others')], default='two_way', max_length=8, verbose_name='direction')),
                ('weight', models.FloatField(default=0.5, help_text='Against 1.0 of a typed word.', validators=[django.core.validators.MinValueValidator(0.01), django.core.validators.MaxValueValidator(0.99)], verbose_name='weight')),
                ('enabled', models.BooleanField(default=True, verbose_name='in use')),
                ('collection', models.ForeignKey(blank=True, help_text='Empty: every collection.', null=True, on_delete=django.db.models.deletion.CASCADE, related_name='synonym_groups', to='ingestion.collection', verbose_name='collection')),
                ('source', models.CharField(choices=[('synonym', 'editors'), ('thesaurus', 'thesaurus')], default='synonym', editable=False, max_length=10, verbose_name='written by')),
            ],
            options={
                'verbose_name': 'synonym group',
                'verbose_name_plural': 'synonym groups',
                'ordering': ['name', 'pk'],
                'constraints': [models.CheckConstraint(condition=models.Q(('weight__gt', 0), ('weight__lt', 1)), name='a_synonym_weighs_less_than_a_typed_word')],
            },
        ),
        migrations.CreateModel(
            name='Synonym',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('text', models.CharField(max_length=200, verbose_name='word or phrase')),
                ('position', models.PositiveSmallIntegerField(default=0, verbose_name='order')),
                ('group', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='synonyms', to='ingestion.synonymgroup')),
                ('phrase', models.CharField(default='', editable=False, max_length=1000)),
            ],
            options={
                'verbose_name': 'synonym',
                'verbose_name_plural': 'synonyms',
                'ordering': ['position', 'pk'],
                'indexes': [models.Index(fields=['phrase'], name='synonym_phrase')],
                'constraints': [models.UniqueConstraint(fields=('group', 'text'), name='one_synonym_a_group')],
            },
        ),
        migrations.CreateModel(
            name='Term',
            fields=[
                ('id', models.AutoField(primary_key=True, serialize=False)),
                ('text', models.CharField(max_length=100, unique=True)),
                ('folded', models.CharField(db_index=True, max_length=100)),
                ('deletions', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=100), default=list, size=None)),
                ('lemma', models.CharField(blank=True, db_default='', default='', max_length=100)),
            ],
            options={
                'indexes': [django.contrib.postgres.indexes.GinIndex(fastupdate=False, fields=['deletions'], name='term_deletions')],
            },
        ),
        migrations.CreateModel(
            name='Posting',
            fields=[
                ('pk', models.CompositePrimaryKey('term_id', 'collection_id', 'chunk_id', blank=True, editable=False, primary_key=True, serialize=False)),
                ('lemma_count', models.SmallIntegerField()),
                ('form_count', models.SmallIntegerField()),
                ('length', models.IntegerField()),
                ('chunk', models.ForeignKey(db_constraint=False, on_delete=django.db.models.deletion.CASCADE, to='ingestion.chunk')),
                ('collection', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.DO_NOTHING, to='ingestion.collection')),
                ('term', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.DO_NOTHING, to='ingestion.term')),
            ],
        ),
        migrations.CreateModel(
            name='TermStatistics',
            fields=[
                ('pk', models.CompositePrimaryKey('term_id', 'collection_id', blank=True, editable=False, primary_key=True, serialize=False)),
                ('lemma_chunks', models.IntegerField()),
                ('form_chunks', models.IntegerField()),
                ('collection', models.ForeignKey(db_constraint=False, on_delete=django.db.models.deletion.CASCADE, to='ingestion.collection')),
                ('term', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.DO_NOTHING, to='ingestion.term')),
            ],
        ),
        migrations.CreateModel(
            name='ChunkEmbedding',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('embedding', pgvector.django.vector.VectorField()),
                ('chunk', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='embeddings', to='ingestion.chunk')),
                ('space', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, to='ingestion.embeddingspace')),
                ('part', models.PositiveSmallIntegerField(default=0)),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('space', 'chunk', 'part'), name='one_vector_a_space')],
            },
        ),
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
                ('collection', models.ForeignKey(blank=True, help_text='Empty: every collection.', null=True, on_delete=django.db.models.deletion.CASCADE, related_name='glossary', to='ingestion.collection', verbose_name='collection')),
            ],
            options={
                'verbose_name': 'glossary entry',
                'verbose_name_plural': 'glossary',
                'ordering': ['term', 'pk'],
                'indexes': [django.contrib.postgres.indexes.GinIndex(fastupdate=False, fields=['phrases'], name='glossary_phrases')],
                'constraints': [models.UniqueConstraint(fields=('collection', 'term'), name='one_entry_a_term', nulls_distinct=False)],
            },
        ),
        migrations.CreateModel(
            name='EmbeddingCacheEntry',
            fields=[
                ('pk', models.CompositePrimaryKey('space_id', 'text_hash', blank=True, editable=False, primary_key=True, serialize=False)),
                ('text_hash', models.BinaryField(max_length=32)),
                ('embedding', models.BinaryField()),
                ('used', models.DateTimeField(default=django.utils.timezone.now)),
                ('space', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, to='ingestion.embeddingspace')),
            ],
        ),
        migrations.CreateModel(
            name='Entity',
            fields=[
                ('id', models.AutoField(primary_key=True, serialize=False)),
                ('key', models.CharField(max_length=300)),
                ('name', models.CharField(max_length=300)),
                ('kind', models.CharField(max_length=60)),
                ('chunks', models.IntegerField(default=0)),
                ('collection', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, to='ingestion.collection')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('key', 'collection'), name='one_entity_a_key')],
            },
        ),
        migrations.CreateModel(
            name='EntityMention',
            fields=[
                ('pk', models.CompositePrimaryKey('entity_id', 'chunk_id', blank=True, editable=False, primary_key=True, serialize=False)),
                ('count', models.SmallIntegerField()),
                ('chunk', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.CASCADE, to='ingestion.chunk')),
                ('entity', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.CASCADE, to='ingestion.entity')),
            ],
            options={
                'indexes': [models.Index(fields=['chunk', 'entity'], include=('count',), name='mention_by_chunk')],
            },
        ),
        migrations.CreateModel(
            name='KnowledgeChange',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('collection_id', models.IntegerField()),
                ('weight', models.BigIntegerField()),
            ],
            options={
                'indexes': [models.Index(fields=['collection_id'], include=('weight',), name='change_by_collection')],
            },
        ),
        migrations.CreateModel(
            name='ChunkSketch',
            fields=[
                ('signature', models.BinaryField()),
                ('bands', django.contrib.postgres.fields.ArrayField(base_field=models.IntegerField(), default=list, size=None)),
                ('chunk', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='sketch', serialize=False, to='ingestion.chunk')),
            ],
            options={
                'indexes': [django.contrib.postgres.indexes.GinIndex(fields=['bands'], name='chunk_bands')],
            },
        ),
        migrations.CreateModel(
            name='DocumentSketch',
            fields=[
                ('signature', models.BinaryField()),
                ('bands', django.contrib.postgres.fields.ArrayField(base_field=models.IntegerField(), default=list, size=None)),
                ('document', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='sketch', serialize=False, to='ingestion.document')),
            ],
            options={
                'indexes': [django.contrib.postgres.indexes.GinIndex(fields=['bands'], name='document_bands')],
            },
        ),
        migrations.CreateModel(
            name='SimilarDocument',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('similarity', models.FloatField()),
                ('document', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='similar', to='ingestion.document')),
                ('other', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='ingestion.document')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('document', 'other'), name='one_similarity_a_pair')],
            },
        ),
        migrations.CreateModel(
            name='DocumentVersion',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField(verbose_name='number')),
                ('label', models.CharField(blank=True, max_length=40, verbose_name='version')),
                ('file', models.FileField(max_length=200, upload_to='', verbose_name='original')),
                ('file_name', models.CharField(max_length=300, verbose_name='file name')),
                ('checksum', models.CharField(db_index=True, max_length=64, verbose_name='SHA-256')),
                ('size', models.PositiveBigIntegerField(default=0, verbose_name='size in bytes')),
                ('text', models.TextField(blank=True)),
                ('created', models.DateTimeField(verbose_name='added')),
                ('author', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='added by')),
                ('document', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='versions', to='ingestion.document', verbose_name='document')),
            ],
            options={
                'verbose_name': 'version of a document',
                'verbose_name_plural': 'versions of documents',
                'ordering': ['-number'],
                'constraints': [models.UniqueConstraint(fields=('document', 'number'), name='one_version_a_number')],
            },
        ),
        migrations.CreateModel(
            name='PersonalData',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('pesel', 'PESEL'), ('nip', 'NIP (tax number)'), ('regon', 'REGON'), ('iban', 'bank account'), ('email', 'e-mail address'), ('phone', 'phone number'), ('identity_card', 'identity card'), ('passport', 'passport')], max_length=14)),
                ('start', models.PositiveIntegerField()),
                ('end', models.PositiveIntegerField()),
                ('document', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='personal_data', to='ingestion.document')),
                ('extraction', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='personal_data', to='ingestion.extraction')),
            ],
            options={
                'indexes': [
                    models.Index(fields=['document', 'kind'], name='personal_data_by_document'),
                    models.Index(fields=['extraction', 'start'], include=('end',), name='personal_data_by_place'),
                ],
            },
        ),
        migrations.CreateModel(
            name='Erasure',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('document_number', models.BigIntegerField(verbose_name='number of the document')),
                ('counts', models.JSONField(default=dict, verbose_name='erased')),
                ('created', models.DateTimeField(auto_now_add=True, verbose_name='when')),
                ('collection', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='ingestion.collection', verbose_name='collection')),
                ('erased_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='erased by')),
            ],
            options={
                'verbose_name': 'erasure',
                'verbose_name_plural': 'erasures',
                'ordering': ['-created', '-pk'],
            },
        ),
        migrations.CreateModel(
            name='Rechunking',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('status', models.CharField(choices=[('running', 'running'), ('paused', 'paused'), ('failed', 'failed'), ('done', 'completed'), ('rolled_back', 'rolled back')], default='running', max_length=12, verbose_name='status')),
                ('backwards', models.BooleanField(default=False, verbose_name='on its way back')),
                ('gate', models.CharField(blank=True, max_length=100, verbose_name='golden set')),
                ('gate_margin', models.FloatField(default=0.01, verbose_name='tolerated loss of nDCG@10')),
                ('score_before', models.FloatField(null=True, verbose_name='nDCG@10 before')),
                ('score_after', models.FloatField(null=True, verbose_name='nDCG@10 after')),
                ('done', models.PositiveIntegerField(default=0, verbose_name='documents done')),
                ('total', models.PositiveIntegerField(default=0, verbose_name='documents')),
                ('kept', models.PositiveIntegerField(default=0, help_text='Documents with chunks that an editor changed or switched off; splitting would undo that.', verbose_name='left as they were')),
                ('unsplit', models.JSONField(default=list, help_text='Keys of documents.', verbose_name='could not be split')),
                ('verdict', models.TextField(blank=True, verbose_name='verdict of the golden set')),
                ('error', models.TextField(blank=True, verbose_name='what went wrong')),
                ('created', models.DateTimeField(auto_now_add=True, verbose_name='created')),
                ('started', models.DateTimeField(null=True, verbose_name='started')),
                ('finished', models.DateTimeField(null=True, verbose_name='finished')),
            ],
            options={
                'verbose_name': 'change of chunking',
                'verbose_name_plural': 'changes of chunking',
                'ordering': ['-pk'],
                'constraints': [models.UniqueConstraint(models.Value(1), condition=models.Q(('status__in', ['running', 'paused', 'failed'])), name='one_unfinished_rechunking')],
            },
        ),
        migrations.CreateModel(
            name='Job',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('kind', models.CharField(choices=[('index_document', 'indexing a document'), ('reembed', 'computing vectors anew'), ('rechunk', 'splitting anew'), ('sync_source', 'synchronising a source'), ('measurement', 'measurement'), ('communities', 'grouping documents')], max_length=30, verbose_name='kind')),
                ('status', models.CharField(choices=[('queued', 'queued'), ('running', 'running'), ('succeeded', 'succeeded'), ('failed', 'failed'), ('cancelled', 'cancelled')], default='queued', max_length=10, verbose_name='status')),
                ('stage', models.CharField(choices=[('waiting', 'waiting'), ('turn', "waiting for its collection's turn"), ('reading', 'reading the source'), ('extracting', 'reading the text'), ('chunking', 'splitting'), ('analysing', 'analysing words'), ('embedding', 'computing vectors'), ('writing', 'writing the index'), ('indexing', 'building the index of vectors'), ('measuring', 'measuring the golden set'), ('asking', 'asking the questions'), ('summarising', 'summarising the groups'), ('finished', 'finished')], default='waiting', max_length=12, verbose_name='stage')),
                ('done', models.PositiveIntegerField(default=0, verbose_name='done')),
                ('total', models.PositiveIntegerField(default=0, verbose_name='total')),
                ('attempts', models.PositiveSmallIntegerField(default=0, verbose_name='attempts')),
                ('heartbeat', models.DateTimeField(null=True, verbose_name='last sign of life')),
                ('error_code', models.CharField(blank=True, max_length=60, verbose_name='error code')),
                ('error_message', models.TextField(blank=True, verbose_name='error')),
                ('created', models.DateTimeField(auto_now_add=True, verbose_name='created')),
                ('started', models.DateTimeField(null=True, verbose_name='started')),
                ('finished', models.DateTimeField(null=True, verbose_name='finished')),
                ('collection', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='jobs', to='ingestion.collection', verbose_name='collection')),
                ('document', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='jobs', to='ingestion.document', verbose_name='document')),
                ('due', models.DateTimeField(help_text='After a failure that may pass.', null=True, verbose_name='not before')),
                ('failures', models.PositiveSmallIntegerField(default=0, verbose_name='failures in a row')),
                ('rate', models.FloatField(null=True, verbose_name='pieces a second')),
                ('space', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='jobs', to='ingestion.embeddingspace', verbose_name='embedding space')),
                ('source', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='jobs', to='ingestion.source', verbose_name='source')),
                ('rechunking', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='jobs', to='ingestion.rechunking', verbose_name='change of chunking')),
            ],
            options={
                'verbose_name': 'job',
                'verbose_name_plural': 'jobs',
                'ordering': ['-created'],
                'indexes': [
                    models.Index(fields=['status', 'heartbeat'], name='ingestion_j_status_cd2c1b_idx'),
                    models.Index(condition=models.Q(('stage', 'turn'), ('status', 'queued')), fields=['collection', 'created'], name='jobs_that_wait_for_a_turn'),
                ],
                'constraints': [
                    models.UniqueConstraint(condition=models.Q(('kind', 'index_document'), ('status', 'queued')), fields=('document',), name='one_waiting_job_a_document'),
                    models.UniqueConstraint(condition=models.Q(('kind', 'reembed'), ('status__in', ['queued', 'running'])), fields=('space',), name='one_unfinished_job_a_space'),
                    models.UniqueConstraint(condition=models.Q(('kind', 'sync_source'), ('status__in', ['queued', 'running'])), fields=('source',), name='one_unfinished_job_a_source'),
                    models.UniqueConstraint(condition=models.Q(('kind', 'rechunk'), ('status__in', ['queued', 'running'])), fields=('rechunking',), name='one_unfinished_job_a_rechunking'),
                    models.UniqueConstraint(condition=models.Q(('kind', 'communities'), ('status__in', ['queued', 'running'])), fields=('collection',), name='one_unfinished_grouping_a_collection'),
                ],
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
                ('job', models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='report', to='ingestion.job', verbose_name='job')),
                ('source', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='reports', to='ingestion.source', verbose_name='source')),
            ],
            options={
                'verbose_name': 'synchronisation',
                'verbose_name_plural': 'synchronisations',
                'ordering': ['-started', '-pk'],
            },
        ),
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
                ('document', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='ingestion.document', verbose_name='document')),
                ('source', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='addresses', to='ingestion.source', verbose_name='source')),
                ('report', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='ingestion.syncreport')),
            ],
            options={
                'verbose_name': 'address',
                'verbose_name_plural': 'addresses',
                'ordering': ['uri'],
                'indexes': [models.Index(fields=['source', 'state'], name='ingestion_s_source__0f3805_idx')],
                'constraints': [models.UniqueConstraint(fields=('source', 'uri'), name='one_address_a_source')],
            },
        ),
        migrations.CreateModel(
            name='JobAttempt',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('started', models.DateTimeField(verbose_name='started')),
                ('claimed', models.DateTimeField(help_text='When its latest slice was started.', verbose_name='claimed')),
                ('finished', models.DateTimeField(null=True, verbose_name='finished')),
                ('outcome', models.CharField(choices=[('running', 'running'), ('succeeded', 'it succeeded'), ('failed', 'it failed'), ('retried', 'it failed and is repeated later'), ('yielded', 'it let others go first'), ('cancelled', 'it was cancelled'), ('interrupted', 'it was interrupted')], default='running', max_length=12, verbose_name='outcome')),
                ('error_code', models.CharField(blank=True, max_length=60, verbose_name='error code')),
                ('error_message', models.TextField(blank=True, verbose_name='error')),
                ('worker', models.CharField(max_length=100, verbose_name='worker')),
                ('job', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='log', to='ingestion.job', verbose_name='job')),
            ],
            options={
                'verbose_name': 'attempt of a job',
                'verbose_name_plural': 'attempts of jobs',
                'ordering': ['-started', '-pk'],
                'default_permissions': (),
            },
        ),
        migrations.CreateModel(
            name='RechunkedCollection',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('before', models.JSONField(default=dict)),
                ('after', models.JSONField(default=dict)),
                ('collection', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='ingestion.collection')),
                ('rechunking', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='parts', to='ingestion.rechunking')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('rechunking', 'collection'), name='one_part_a_collection')],
            },
        ),
        migrations.AddField(
            model_name='rechunking',
            name='collections',
            field=models.ManyToManyField(related_name='rechunkings', through='ingestion.RechunkedCollection', to='ingestion.collection', verbose_name='collections'),
        ),
        migrations.CreateModel(
            name='ChunkWords',
            fields=[
                ('chunk', models.OneToOneField(db_constraint=False, on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='+', serialize=False, to='ingestion.chunk')),
                ('terms', models.BinaryField()),
            ],
        ),
        migrations.CreateModel(
            name='PostingList',
            fields=[
                ('pk', models.CompositePrimaryKey('term_id', 'collection_id', 'packed_to', blank=True, editable=False, primary_key=True, serialize=False)),
                ('packed_to', models.IntegerField()),
                ('postings', models.BinaryField()),
                ('collection', models.ForeignKey(db_constraint=False, on_delete=django.db.models.deletion.CASCADE, to='ingestion.collection')),
                ('term', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.DO_NOTHING, to='ingestion.term')),
            ],
        ),
    ]
