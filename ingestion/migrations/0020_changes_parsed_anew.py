"""What notes changed documents is parsed at each call: a plan kept from an update of no rows took minutes for 20,000."""

from importlib import import_module

from django.db import migrations

readership = import_module("ingestion.migrations.0008_readership")
engine = import_module("ingestion.migrations.0010_engine_changes")

NOTED = readership.note_update(", readership_id")
DECLARED, TOUCHED = "DECLARE touched integer[] := (", ");\nBEGIN\n"

CHANGES = engine.CHANGED["document", "UPDATE"]
TOLD = """
CREATE OR REPLACE FUNCTION ingestion_document_update_for_engine() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT FROM ingestion_enginegeneration WHERE status <> 'retired') THEN
        {insert}
    END IF;
    RETURN NULL;
END $$;
"""
INSERT = f"INSERT INTO ingestion_enginechange (generation_id, chunk_id) {CHANGES}"


def parsed_anew(function):
    """`function` with the query of its declaration in an EXECUTE."""
    head, rest = function.split(DECLARED)
    query, body = rest.split(TOUCHED)
    return f"{head}DECLARE touched integer[];\nBEGIN\n    EXECUTE $touched${query}$touched$ INTO touched;\n{body}"


class Migration(migrations.Migration):
    dependencies = [("ingestion", "0019_acts_and_confluence")]

    operations = [
        migrations.RunSQL(parsed_anew(NOTED), NOTED),
        migrations.RunSQL(TOLD.format(insert=f"EXECUTE $told${INSERT}$told$;"), TOLD.format(insert=f"{INSERT};")),
    ]
