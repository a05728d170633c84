"""The version of the knowledge base: triggers note every change on which an answer can rest.

They fire once a statement, so bulk deletes, COPY, raw SQL and other processes are noted too. Each has a function of its
own, whose plan PostgreSQL then keeps: cheaper than one function for all of them.
"""

from django.db import migrations

# One note in some 200 folds the notes into one a collection: a version is then read from a few hundred rows at most.
# Notes that another transaction has in hand are left to it. The random weight is at least 1; 4 billion changes fit.
FUNCTIONS = """
CREATE FUNCTION ingestion_fold_changes() RETURNS void LANGUAGE sql AS $$
    WITH free AS (SELECT id FROM ingestion_knowledgechange FOR UPDATE SKIP LOCKED),
    taken AS (
        DELETE FROM ingestion_knowledgechange AS note USING free WHERE note.id = free.id
        RETURNING note.collection_id, note.weight
    )
    INSERT INTO ingestion_knowledgechange (collection_id, weight)
        SELECT collection_id, sum(weight)::bigint FROM taken GROUP BY collection_id
$$;
CREATE FUNCTION ingestion_note_change(touched integer[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO ingestion_knowledgechange (collection_id, weight)
        SELECT collection, 1 + floor(random() * 4294967296)::bigint FROM unnest(touched) AS collection;
    IF random() < 0.005 THEN
        PERFORM ingestion_fold_changes();
    END IF;
END $$;
"""

DROP_FUNCTIONS = """
DROP FUNCTION ingestion_note_change(integer[]);
DROP FUNCTION ingestion_fold_changes();
"""

# Of each table: the collections of its rows `t`, and the columns that an answer can rest on; what jobs and statistics
# write does not count. Only `ready` documents are searched, so of the status no more than that matters.
OWN = "SELECT t.collection_id"
WATCHED = {
    "document": (
        OWN,
        "collection_id, source_id, title, uri, media_type, language, category, tags, version, valid_from, valid_to, "
        "metadata, modified, (status = 'ready')",
    ),
    "chunk": (
        OWN,
        'collection_id, document_id, text, start, "end", line_start, line_end, page_start, page_end, heading_path, '
        "context_before, context_after, enabled",
    ),
    "extraction": (
        "SELECT d.collection_id FROM ingestion_document d WHERE d.id = t.document_id",
        "document_id, text, page_starts",
    ),
    "entitymention": ("SELECT e.collection_id FROM ingestion_entity e WHERE e.id = t.entity_id", "count"),
    "collection": ("SELECT t.id", "slug, visibility, preset, lemma_weight, form_weight"),
    "collection_groups": (OWN, "collection_id, group_id"),
    "source": (OWN, "collection_id, name"),
    "synonymgroup": (OWN, "collection_id, direction, weight, enabled, source"),
    "synonym": (
        "SELECT g.collection_id FROM (SELECT) AS one LEFT JOIN ingestion_synonymgroup g ON g.id = t.group_id",
        "group_id, text, phrase, position",
    ),
    "glossaryentry": (OWN, "collection_id, term, definition, aliases, kind, phrases"),
    "embeddingspace": (
        "SELECT 0",
        "embedder, model, dimension, template_version, options, sentence_vectors, status, fusion, calibration",
    ),
}
KEYS = {"entitymention": "entity_id, chunk_id"}


def columns(table, row):
    listed = WATCHED[table][1].split(", ")
    return ", ".join(f"({row}.{name[1:]}" if name[0] == "(" else f"{row}.{name}" for name in listed)


def touched(table, rows):
    """A change without a collection is one of every collection."""
    return (
        f"SELECT array_agg(DISTINCT coalesce(c.collection_id, 0)) FROM {rows} "
        f"CROSS JOIN LATERAL ({WATCHED[table][0]}) AS c(collection_id)"
    )


def updated(table):
    """The rows, before and after, that differ in a column that counts."""
    key = KEYS.get(table, "id")
    pairs = f"old_rows o FULL JOIN new_rows n USING ({key}) WHERE ({columns(table, 'o')}) IS DISTINCT FROM ({columns(table, 'n')})"
    keys = f"SELECT {key} FROM {pairs}"
    return f"(SELECT * FROM old_rows UNION ALL SELECT * FROM new_rows) AS t JOIN ({keys}) AS differing USING ({key})"


TRANSITIONS = {
    "INSERT": "REFERENCING NEW TABLE AS new_rows",
    "DELETE": "REFERENCING OLD TABLE AS old_rows",
    "UPDATE": "REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows",
    "TRUNCATE": "",
}


def query(table, operation):
    """The collections that a statement touched."""
    if operation == "TRUNCATE":
        return "SELECT ARRAY[0]"
    rows = {"INSERT": "new_rows AS t", "DELETE": "old_rows AS t", "UPDATE": updated(table)}[operation]
    return touched(table, rows)


def trigger(table, operation):
    name = f"ingestion_{table}_{operation.lower()}_noted"
    return f"""
CREATE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE touched integer[] := ({query(table, operation)});
BEGIN
    IF cardinality(touched) > 0 THEN
        PERFORM ingestion_note_change(touched);
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER {name} AFTER {operation} ON ingestion_{table} {TRANSITIONS[operation]}
    FOR EACH STATEMENT EXECUTE FUNCTION {name}();
"""


def drop_trigger(table, operation):
    name = f"ingestion_{table}_{operation.lower()}_noted"
    return f"DROP TRIGGER {name} ON ingestion_{table};\nDROP FUNCTION {name}();\n"


def for_all(statement):
    return "".join(statement(table, operation) for table in WATCHED for operation in TRANSITIONS)


class Migration(migrations.Migration):
    replaces = [("ingestion", "0011_knowledge_version")]
    dependencies = [("ingestion", "0002_counts")]

    operations = [
        migrations.RunSQL(FUNCTIONS, DROP_FUNCTIONS),
        migrations.RunSQL(for_all(trigger), for_all(drop_trigger)),
    ]
