"""What documents say of their own end is told with their passages: whatever becomes of it changes answers, as in
0003_knowledge_version. What others say of it is told with none.
"""

from django.db import migrations

NOTED = """
CREATE FUNCTION ingestion_validityproposal_{name}_noted() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE touched integer[] := (
    SELECT array_agg(DISTINCT d.collection_id) FROM ({rows}) t JOIN ingestion_document d ON d.id = t.document_id
);
BEGIN
    IF cardinality(touched) > 0 THEN
        PERFORM ingestion_note_change(touched);
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER ingestion_validityproposal_{name}_noted AFTER {operation} ON ingestion_validityproposal
    REFERENCING {tables} FOR EACH STATEMENT EXECUTE FUNCTION ingestion_validityproposal_{name}_noted();
"""
OWN = "SELECT document_id FROM {} WHERE stated_by_id = document_id"
CHANGED = """
SELECT n.document_id FROM old_rows o JOIN new_rows n USING (id)
WHERE n.stated_by_id = n.document_id AND (o.day, o.field, o.decision) IS DISTINCT FROM (n.day, n.field, n.decision)
"""
OPERATIONS = {
    "INSERT": ("NEW TABLE AS new_rows", OWN.format("new_rows")),
    "DELETE": ("OLD TABLE AS old_rows", OWN.format("old_rows")),
    "UPDATE": ("OLD TABLE AS old_rows NEW TABLE AS new_rows", CHANGED),
}


def noted(operation):
    tables, rows = OPERATIONS[operation]
    return NOTED.format(name=operation.lower(), operation=operation, tables=tables, rows=rows)


def not_noted(operation):
    name = f"ingestion_validityproposal_{operation.lower()}_noted"
    return f"DROP TRIGGER {name} ON ingestion_validityproposal;\nDROP FUNCTION {name}();\n"


class Migration(migrations.Migration):
    dependencies = [("ingestion", "0030_orders_of_the_library")]

    operations = [migrations.RunSQL("".join(map(noted, OPERATIONS)), "".join(map(not_noted, OPERATIONS)))]
