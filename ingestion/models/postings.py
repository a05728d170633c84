"""The inverted index, which chunk holds which word, with the counts that BM25 needs; and the forward index, which words
a chunk holds, in their order.

A term is one string. A posting counts how often it stands in a chunk as a lemma and how often as a form, so a word that
is its own lemma costs one row. Counts are kept per collection: scores then rest on nothing a viewer may not see.
"""

from django.contrib.postgres.fields import ArrayField
from django.db import models

from ingestion.models.documents import Chunk, Document
from ingestion.models.sources import Collection


class Term(models.Model):
    """A word of the corpus vocabulary, lower case.

    `folded` is the word without diacritics, by which misspelt words are found too. `lemma` is that of the word where it
    stands as a form, as the index has it; empty where it never does. Looking it up is a hundred times as quick as
    asking the dictionaries.
    """

    id = models.AutoField(primary_key=True)
    text = models.CharField(max_length=100)
    folded = models.CharField(max_length=100)
    lemma = models.CharField(max_length=100, blank=True, default="", db_default="")

    class Meta:
        # What `unique` and `db_index` of a text would make beside them, an index for LIKE, one of these is already.
        constraints = [models.UniqueConstraint(fields=["text"], name="one_term_a_text")]
        indexes = [models.Index(fields=["folded"], name="term_folded", opclasses=["varchar_pattern_ops"])]

    def __str__(self) -> str:
        return self.text


class Posting(models.Model):
    """`length` is the chunk's number of words, repeated here so that scoring needs no other table.

    Triggers (migration `0002_counts`) keep both tables of statistics true to this one, whoever inserts or deletes.
    """

    pk = models.CompositePrimaryKey("term_id", "collection_id", "chunk_id")
    term = models.ForeignKey(Term, models.DO_NOTHING, db_index=False, db_constraint=False)
    collection = models.ForeignKey(Collection, models.DO_NOTHING, db_index=False, db_constraint=False)
    chunk = models.ForeignKey(Chunk, models.CASCADE, db_constraint=False)
    lemma_count = models.SmallIntegerField()
    form_count = models.SmallIntegerField()
    length = models.IntegerField()

    def __str__(self) -> str:
        return f"{self.term_id} in {self.chunk_id}"


class PostingList(models.Model):
    """The postings of a frequent term in one piece, of the chunks up to `packed_to`.

    How they are written: `ingestion.text.index_format.posting_lists`. They are read instead of rows, which are dropped
    (`ingestion.index.packed_rows`). Lists that end elsewhere than the collection's statistics say are being written or
    were left by a killed worker.
    """

    pk = models.CompositePrimaryKey("term_id", "collection_id", "packed_to")
    term = models.ForeignKey(Term, models.DO_NOTHING, db_index=False, db_constraint=False)
    collection = models.ForeignKey(Collection, models.CASCADE, db_constraint=False)
    packed_to = models.IntegerField()
    postings = models.BinaryField()

    def __str__(self) -> str:
        return f"{self.term_id} in collection {self.collection_id}"


class ChunkWords(models.Model):
    """The words of a chunk that postings were written of, in their order: what is asked of fifty passages at once, such
    as where a word stands first, needs no text to be read and analysed.
    """

    chunk = models.OneToOneField(Chunk, models.CASCADE, primary_key=True, db_constraint=False, related_name="+")
    terms = models.BinaryField()

    def __str__(self) -> str:
        return f"words of {self.chunk_id}"


class LoadedDocument(models.Model):
    """A document of a bulk whose chunks are written and whose words are not: they come into the lists together with
    those of thousands of others (`ingestion.index.publishing`), and until then it is `processing` and nobody finds it.
    """

    document = models.OneToOneField(Document, models.CASCADE, primary_key=True, related_name="+")

    def __str__(self) -> str:
        return f"{self.document_id} is loaded"


class TermStatistics(models.Model):
    """In how many chunks of a collection the term stands, as a lemma and as a form."""

    pk = models.CompositePrimaryKey("term_id", "collection_id")
    term = models.ForeignKey(Term, models.DO_NOTHING, db_index=False, db_constraint=False)
    collection = models.ForeignKey(Collection, models.CASCADE, db_constraint=False)
    lemma_chunks = models.IntegerField()
    form_chunks = models.IntegerField()

    def __str__(self) -> str:
        return f"{self.term_id} in collection {self.collection_id}"


class CollectionStatistics(models.Model):
    """Number of searched chunks of a collection and of words in them; and how far its postings are packed.

    Posting lists have the chunks up to the key `packed_to`, those being packed will have them up to `packing_to`.
    Chunks up to there whose postings were written later, because somebody edited them, are in `late`. Up to
    `dropped_to` the rows that lists have are gone.
    """

    collection = models.OneToOneField(Collection, models.CASCADE, primary_key=True, related_name="statistics")
    chunks = models.BigIntegerField(default=0)
    words = models.BigIntegerField(default=0)
    packed_to = models.IntegerField(default=0, db_default=0)
    packing_to = models.IntegerField(default=0, db_default=0)
    dropped_to = models.IntegerField(default=0, db_default=0)
    late = ArrayField(models.IntegerField(), default=list, db_default=[])

    def __str__(self) -> str:
        return f"{self.collection_id}: {self.chunks} chunks"
