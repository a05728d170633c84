"""What the search engine has yet to be told: triggers note the chunks whose words, vectors or documents change.

They fire once a statement, whoever writes. While no generation lives, none notes anything: that costs one look into a
table of a few rows. A vector that is deleted is not noted: with its chunk go its words, which are; a chunk that is
edited gets a new one; and those of a space that is dropped are no longer asked for.
"""

from django.db import migrations

LIVING = "ingestion_enginegeneration g ON g.status <> 'retired'"
COLUMNS = "media_type, language, category, tags, version, source_id, valid_from, valid_to, modified, readership_id, (status = 'archived')"


def columns(row):
    return ", ".join(f"({row}.{name[1:]}" if name[0] == "(" else f"{row}.{name}" for name in COLUMNS.split(", "))


CHANGED = {
    ("chunkwords", "INSERT"): f"SELECT g.id, n.chunk_id FROM new_rows n JOIN {LIVING}",
    ("chunkwords", "DELETE"): f"SELECT g.id, o.chunk_id FROM old_rows o JOIN {LIVING}",
    ("chunkembedding", "INSERT"): (
        f"SELECT DISTINCT g.id, n.chunk_id FROM new_rows n JOIN {LIVING} AND n.space_id = ANY(g.spaces)"
    ),
    ("chunkembedding", "UPDATE"): (
        f"SELECT DISTINCT g.id, n.chunk_id FROM new_rows n JOIN {LIVING} AND n.space_id = ANY(g.spaces)"
    ),
    ("document", "UPDATE"): f"""SELECT g.id, c.id FROM old_rows o JOIN new_rows n USING (id)
        JOIN ingestion_chunk c ON c.document_id = n.id JOIN {LIVING}
        WHERE ({columns("o")}) IS DISTINCT FROM ({columns("n")})""",
}
TRANSITIONS = {
    "INSERT": "NEW TABLE AS new_rows",
    "DELETE": "OLD TABLE AS old_rows",
    "UPDATE": "OLD TABLE AS old_rows NEW TABLE AS new_rows",
}


def trigger(table, operation, changed):
    name = f"ingestion_{table}_{operation.lower()}_for_engine"
    return f"""
CREATE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT FROM ingestion_enginegeneration WHERE status <> 'retired') THEN
        INSERT INTO ingestion_enginechange (generation_id, chunk_id) {changed};
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER {name} AFTER {operation} ON ingestion_{table} REFERENCING {TRANSITIONS[operation]}
    FOR EACH STATEMENT EXECUTE FUNCTION {name}();
"""


def drop_trigger(table, operation):
    name = f"ingestion_{table}_{operation.lower()}_for_engine"
    return f"DROP TRIGGER {name} ON ingestion_{table};\nDROP FUNCTION {name}();\n"


class Migration(migrations.Migration):
    dependencies = [("ingestion", "0009_search_engine")]

    operations = [
        migrations.RunSQL(
            "".join(trigger(table, operation, changed) for (table, operation), changed in CHANGED.items()),
            "".join(drop_trigger(table, operation) for table, operation in CHANGED),
        ),
    ]
