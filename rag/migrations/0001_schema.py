"""Every table of questions, answers and their evaluation."""

import django.contrib.postgres.fields
import django.contrib.postgres.indexes
import django.core.validators
import django.db.models.deletion
import uuid
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    # Those of the time before 0.1.0; a database that has them all needs none of this.
    replaces = [
        ("rag", name)
        for name in """
        0001_initial 0002_evaluation 0003_assistants 0004_trustworthy_answers 0006_erasure 0007_analytics
        0008_feedback_sharing_assistants 0009_knowledge_gaps 0010_related_documents 0011_topics_and_reasons
        0012_measurements 0013_communities 0014_measured_questions
        """.split()
    ]

    initial = True

    dependencies = [
        ("ingestion", "0001_schema"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='EvaluationDataset',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=100, unique=True, verbose_name='name')),
                ('description', models.TextField(blank=True, verbose_name='description')),
                ('created', models.DateTimeField(auto_now_add=True, verbose_name='created')),
                ('modified', models.DateTimeField(auto_now=True, verbose_name='changed')),
                ('collection', models.ForeignKey(blank=True, help_text='Retrieval is measured in it; empty: answers are, over what everyone may read.', null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='evaluation_datasets', to='ingestion.collection', verbose_name='collection')),
            ],
            options={
                'verbose_name': 'evaluation dataset',
                'verbose_name_plural': 'evaluation datasets',
                'ordering': ['name'],
            },
        ),
        migrations.CreateModel(
            name='EvaluationQuestion',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('external_id', models.CharField(max_length=200, verbose_name='identifier')),
                ('text', models.TextField(verbose_name='question')),
                ('answerable', models.BooleanField(default=True, verbose_name='answered by the sources')),
                ('expected_answer', models.TextField(blank=True, verbose_name='expected answer')),
                ('expected_answer_contains', django.contrib.postgres.fields.ArrayField(base_field=models.TextField(), blank=True, default=list, size=None, verbose_name='words the answer must contain')),
                ('dataset', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='questions', to='rag.evaluationdataset', verbose_name='evaluation dataset')),
            ],
            options={
                'verbose_name': 'evaluation question',
                'verbose_name_plural': 'evaluation questions',
                'ordering': ['pk'],
                'constraints': [models.UniqueConstraint(fields=('dataset', 'external_id'), name='one_question_an_identifier')],
            },
        ),
        migrations.CreateModel(
            name='EvaluationRun',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('dataset', models.CharField(max_length=100, verbose_name='dataset')),
                ('kind', models.CharField(choices=[('retrieval', 'retrieval'), ('answers', 'answers')], max_length=10, verbose_name='kind')),
                ('preset', models.CharField(max_length=40, verbose_name='preset')),
                ('options', models.JSONField(blank=True, default=dict, verbose_name='options')),
                ('metrics', models.JSONField(default=dict, verbose_name='measures')),
                ('scores', models.JSONField(default=dict, verbose_name='scores by question')),
                ('latency', models.JSONField(default=dict, verbose_name='times')),
                ('questions', models.PositiveIntegerField(verbose_name='questions')),
                ('version', models.CharField(blank=True, max_length=100, verbose_name='version of the program')),
                ('created', models.DateTimeField(auto_now_add=True, verbose_name='created')),
            ],
            options={
                'verbose_name': 'evaluation run',
                'verbose_name_plural': 'evaluation runs',
                'ordering': ['-created', '-pk'],
                'indexes': [models.Index(fields=['dataset', 'kind', '-created'], name='run_by_dataset')],
            },
        ),
        migrations.CreateModel(
            name='Judgement',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('document', models.CharField(max_length=2000, verbose_name='URI of the document')),
                ('grade', models.PositiveSmallIntegerField(default=1, validators=[django.core.validators.MinValueValidator(1)], verbose_name='grade')),
                ('question', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='judgements', to='rag.evaluationquestion')),
            ],
            options={
                'verbose_name': 'judgement',
                'verbose_name_plural': 'judgements',
                'ordering': ['pk'],
                'constraints': [
                    models.UniqueConstraint(fields=('question', 'document'), name='one_judgement_a_document'),
                    models.CheckConstraint(condition=models.Q(('grade__gt', 0)), name='grade_above_zero'),
                ],
            },
        ),
        migrations.CreateModel(
            name='Assistant',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=200, verbose_name='name')),
                ('slug', models.SlugField(help_text='Used in addresses and commands.', max_length=80, unique=True, verbose_name='identifier')),
                ('description', models.TextField(blank=True, verbose_name='description')),
                ('preset_name', models.CharField(blank=True, help_text='Empty: the default of the installation.', max_length=40, verbose_name='preset')),
                ('parts', models.JSONField(blank=True, default=dict, help_text='Parts that this assistant replaces, for example {"neighbours": 1, "alike_above": 0.9}.', verbose_name='parts of the preset')),
                ('enabled', models.BooleanField(default=True, verbose_name='in use')),
                ('created', models.DateTimeField(auto_now_add=True, verbose_name='created')),
                ('collections', models.ManyToManyField(blank=True, help_text='Empty: every collection that the reader may see.', related_name='assistants', to='ingestion.collection', verbose_name='collections')),
                ('instructions', models.TextField(blank=True, help_text='How to answer: tone, length, audience. They never change which sources may be read.', verbose_name='instructions')),
                ('web_search', models.BooleanField(default=False, help_text='When the knowledge base has nothing. The question then leaves the organisation.', verbose_name='may search the web')),
            ],
            options={
                'verbose_name': 'assistant',
                'verbose_name_plural': 'assistants',
                'ordering': ['name'],
            },
        ),
        migrations.CreateModel(
            name='Conversation',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('session_key', models.CharField(blank=True, db_index=True, max_length=40)),
                ('title', models.CharField(max_length=200, verbose_name='title')),
                ('created', models.DateTimeField(auto_now_add=True, verbose_name='created')),
                ('modified', models.DateTimeField(auto_now=True, verbose_name='last question')),
                ('owner', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='conversations', to=settings.AUTH_USER_MODEL, verbose_name='owner')),
                ('answering', models.UUIDField(editable=False, help_text='The question that is being answered; a newer one ends its research.', null=True)),
                ('assistant', models.ForeignKey(blank=True, help_text='Who answered last; follow-up questions go there too.', null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='rag.assistant', verbose_name='assistant')),
                ('shared', models.DateTimeField(blank=True, help_text='Since then signed-in users who have the address read along; each sees what they may read.', null=True, verbose_name='shared')),
            ],
            options={
                'verbose_name': 'conversation',
                'verbose_name_plural': 'conversations',
                'ordering': ['-modified'],
            },
        ),
        migrations.CreateModel(
            name='Exchange',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('question', models.TextField(verbose_name='question')),
                ('answer', models.TextField(verbose_name='answer')),
                ('outcome', models.CharField(max_length=16, verbose_name='outcome')),
                ('language', models.CharField(default='pl', max_length=8)),
                ('confidence', models.FloatField(default=0.0, verbose_name='confidence')),
                ('synthesizer', models.CharField(blank=True, max_length=40)),
                ('model', models.CharField(blank=True, max_length=100, verbose_name='model')),
                ('prompt_hash', models.CharField(blank=True, max_length=80)),
                ('uncited_claims', models.JSONField(default=list)),
                ('notices', models.JSONField(default=list)),
                ('corrections', models.JSONField(default=list)),
                ('metrics', models.JSONField(default=dict, verbose_name='metrics')),
                ('trace_id', models.CharField(blank=True, db_index=True, max_length=64)),
                ('created', models.DateTimeField(auto_now_add=True, verbose_name='asked')),
                ('collections', models.ManyToManyField(help_text='Collections whose passages were shown or given to the model.', related_name='+', to='ingestion.collection')),
                ('conversation', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='exchanges', to='rag.conversation')),
                ('quality', models.CharField(blank=True, db_index=True, max_length=6, verbose_name='quality of the passages')),
                ('searched', models.TextField(blank=True, help_text='A follow-up question worded to stand alone.')),
                ('steps', models.JSONField(default=list)),
                ('verification', models.JSONField(default=dict)),
                ('documents', django.contrib.postgres.fields.ArrayField(base_field=models.BigIntegerField(), default=list, help_text='Documents whose passages were shown or given to the model; their erasure clears the answer.', size=None)),
                ('definitions', models.JSONField(default=list, help_text='Words of the question that the glossary explains, as they were shown.')),
                ('related', models.JSONField(default=list, help_text='Documents named beside the answer: `document_id`, `names`, `near`; no titles.')),
                ('topics', models.JSONField(default=list, help_text='What may be asked next: headings of what was found, as they were shown.')),
            ],
            options={
                'verbose_name': 'question',
                'verbose_name_plural': 'questions',
                'ordering': ['created'],
                'indexes': [
                    django.contrib.postgres.indexes.GinIndex(fastupdate=False, fields=['documents'], name='exchange_documents'),
                    models.Index(fields=['created'], name='exchange_created'),
                ],
            },
        ),
        migrations.CreateModel(
            name='ExchangeCitation',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveSmallIntegerField()),
                ('chunk_id', models.IntegerField()),
                ('title', models.CharField(max_length=500)),
                ('uri', models.CharField(max_length=2000)),
                ('quote', models.TextField()),
                ('start', models.PositiveIntegerField()),
                ('end', models.PositiveIntegerField()),
                ('line_start', models.PositiveIntegerField()),
                ('line_end', models.PositiveIntegerField()),
                ('page_start', models.PositiveIntegerField(null=True)),
                ('page_end', models.PositiveIntegerField(null=True)),
                ('heading_path', django.contrib.postgres.fields.ArrayField(base_field=models.TextField(), default=list, size=None)),
                ('score', models.FloatField(default=0.0)),
                ('document', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='ingestion.document')),
                ('exchange', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='citations', to='rag.exchange')),
                ('origin', models.CharField(default='document', max_length=8)),
                ('found', models.JSONField(default=dict, help_text='Why the passage was found, as it was explained; empty: not known any more.')),
            ],
            options={
                'ordering': ['number'],
                'constraints': [models.UniqueConstraint(fields=('exchange', 'number'), name='one_citation_a_number')],
            },
        ),
        migrations.CreateModel(
            name='CachedAnswer',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.CharField(max_length=64)),
                ('wording', models.CharField(max_length=64)),
                ('exact', models.CharField(max_length=64)),
                ('question', models.TextField()),
                ('answer', models.TextField()),
                ('documents', django.contrib.postgres.fields.ArrayField(base_field=models.BigIntegerField(), default=list, size=None)),
                ('created', models.DateTimeField(auto_now_add=True, db_index=True)),
            ],
            options={
                'indexes': [django.contrib.postgres.indexes.GinIndex(fastupdate=False, fields=['documents'], name='cached_answer_documents')],
                'constraints': [models.UniqueConstraint(fields=('key', 'wording', 'exact'), name='one_answer_a_question')],
            },
        ),
        migrations.CreateModel(
            name='Feedback',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('session_key', models.CharField(blank=True, editable=False, max_length=40)),
                ('verdict', models.CharField(choices=[('good', 'helpful'), ('bad', 'not helpful')], max_length=4, verbose_name="reader's judgement")),
                ('comment', models.TextField(blank=True, max_length=2000, verbose_name='comment')),
                ('created', models.DateTimeField(auto_now_add=True, verbose_name='given')),
                ('modified', models.DateTimeField(auto_now=True, db_index=True, verbose_name='changed')),
                ('exchange', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='feedback', to='rag.exchange', verbose_name='question')),
                ('user', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='user')),
            ],
            options={
                'verbose_name': 'feedback',
                'verbose_name_plural': 'feedback',
                'ordering': ['-modified'],
                'constraints': [
                    models.UniqueConstraint(condition=models.Q(('user__isnull', False)), fields=('exchange', 'user'), name='one_feedback_a_user'),
                    models.UniqueConstraint(condition=models.Q(('user__isnull', True)), fields=('exchange', 'session_key'), name='one_feedback_a_session'),
                ],
            },
        ),
        migrations.CreateModel(
            name='KnowledgeGap',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('status', models.CharField(choices=[('new', 'new'), ('in_work', 'in work'), ('answered', 'answered'), ('dismissed', 'dismissed')], db_index=True, default='new', max_length=10, verbose_name='status')),
                ('task', models.TextField(blank=True, help_text='What is to be written or found, and where it belongs.', max_length=4000, verbose_name='task')),
                ('note', models.TextField(blank=True, help_text='What was done, or why nothing is to be done.', max_length=4000, verbose_name='note')),
                ('answered', models.DateTimeField(blank=True, editable=False, null=True, verbose_name='answered on')),
                ('reopened', models.DateTimeField(blank=True, editable=False, help_text='Asked again in vain after it had been answered.', null=True)),
                ('created', models.DateTimeField(auto_now_add=True, verbose_name='created')),
                ('modified', models.DateTimeField(auto_now=True, verbose_name='changed')),
                ('assignee', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='assigned to')),
                ('exchanges', models.ManyToManyField(help_text='Each belongs to one gap at most.', related_name='gaps', to='rag.exchange', verbose_name='questions')),
            ],
            options={
                'verbose_name': 'knowledge gap',
                'verbose_name_plural': 'knowledge gaps',
                'ordering': ['-created', '-pk'],
            },
        ),
        migrations.CreateModel(
            name='Measurement',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('retrieval', 'retrieval'), ('answers', 'answers')], max_length=10, verbose_name='kind')),
                ('preset', models.CharField(blank=True, max_length=40, verbose_name='preset')),
                ('limit', models.PositiveIntegerField(default=0, verbose_name='limit of questions')),
                ('created', models.DateTimeField(auto_now_add=True, verbose_name='created')),
                ('dataset', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='measurements', to='rag.evaluationdataset', verbose_name='evaluation dataset')),
                ('job', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='ingestion.job', verbose_name='job')),
                ('run', models.OneToOneField(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='rag.evaluationrun', verbose_name='evaluation run')),
                ('user', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name': 'measurement asked for',
                'verbose_name_plural': 'measurements asked for',
                'ordering': ['-pk'],
                'default_permissions': (),
            },
        ),
        migrations.CreateModel(
            name='Community',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('label', models.CharField(max_length=320, verbose_name='subject')),
                ('model', models.CharField(blank=True, max_length=100, verbose_name='language model')),
                ('version', models.CharField(editable=False, max_length=40)),
                ('created', models.DateTimeField(auto_now_add=True, verbose_name='made')),
                ('collection', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='ingestion.collection', verbose_name='collection')),
            ],
            options={
                'verbose_name': 'group of documents',
                'verbose_name_plural': 'groups of documents',
                'ordering': ['pk'],
                'default_permissions': (),
            },
        ),
        migrations.CreateModel(
            name='CommunityDocument',
            fields=[
                ('document', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='+', serialize=False, to='ingestion.document')),
                ('ordinal', models.PositiveIntegerField()),
                ('chunk', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to='ingestion.chunk')),
                ('community', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='members', to='rag.community')),
            ],
            options={
                'ordering': ['ordinal'],
                'default_permissions': (),
            },
        ),
        migrations.CreateModel(
            name='CommunitySentence',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('ordinal', models.PositiveIntegerField()),
                ('text', models.TextField()),
                ('start', models.PositiveIntegerField()),
                ('end', models.PositiveIntegerField()),
                ('quote', models.TextField()),
                ('community', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='sentences', to='rag.community')),
                ('document', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='ingestion.document')),
            ],
            options={
                'ordering': ['ordinal'],
                'default_permissions': (),
            },
        ),
        migrations.CreateModel(
            name='MeasuredQuestion',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.CharField(max_length=64)),
                ('result', models.JSONField()),
                ('measurement', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='measured', to='rag.measurement')),
            ],
            options={
                'default_permissions': (),
                'constraints': [models.UniqueConstraint(fields=('measurement', 'key'), name='measured_once')],
            },
        ),
    ]
