"""The audit log only grows. Django knows no triggers, so they stand here.

A row may be deleted where its term is over, and its words may be taken away by an erasure: whoever does so says why for
the length of a transaction (`knowledgetree.audit.forgetting`). That guards against mistakes and against whatever runs
statements through the program; who owns the table can do away with the trigger (docs/adr/0043-audit-log.md).
"""

from django.db import migrations

_GUARD = """
CREATE FUNCTION knowledgetree_guard_audit() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    reason text := coalesce(current_setting('knowledgetree.audit', true), '');
    words text[] := ARRAY['user_name', 'address', 'session', 'label', 'text', 'details'];
BEGIN
    IF TG_OP = 'TRUNCATE' AND reason = 'flush' THEN
        RETURN NULL;
    ELSIF TG_OP = 'DELETE' AND reason = 'term' THEN
        RETURN OLD;
    ELSIF TG_OP = 'UPDATE' AND reason = 'erasure' AND to_jsonb(NEW) - words = to_jsonb(OLD) - words
        AND NEW.user_name IN ('', OLD.user_name) AND NEW.address IN ('', OLD.address)
        AND NEW.session IN ('', OLD.session) AND NEW.label IN ('', OLD.label)
        AND NEW.text IN ('', OLD.text) AND NEW.details IN ('{}', OLD.details)
    THEN
        RETURN NEW;
    END IF;
    RAISE EXCEPTION 'the audit log only grows' USING ERRCODE = 'restrict_violation';
END
$$;
CREATE TRIGGER audit_log_grows BEFORE UPDATE OR DELETE ON knowledgetree_auditentry
    FOR EACH ROW EXECUTE FUNCTION knowledgetree_guard_audit();
CREATE TRIGGER audit_log_stays BEFORE TRUNCATE ON knowledgetree_auditentry
    FOR EACH STATEMENT EXECUTE FUNCTION knowledgetree_guard_audit();
"""
_UNGUARD = """
DROP TRIGGER audit_log_grows ON knowledgetree_auditentry;
DROP TRIGGER audit_log_stays ON knowledgetree_auditentry;
DROP FUNCTION knowledgetree_guard_audit();
"""


class Migration(migrations.Migration):
    dependencies = [("knowledgetree", "0002_audit_and_webhooks")]
    operations = [migrations.RunSQL(_GUARD, _UNGUARD)]
