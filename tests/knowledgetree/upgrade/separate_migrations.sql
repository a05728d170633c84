SET check_function_bodies = false;
CREATE EXTENSION IF NOT EXISTS vector;
CREATE FUNCTION ingestion_chunk_delete_noted() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE touched integer[] := (SELECT array_agg(DISTINCT coalesce(c.collection_id, 0)) FROM old_rows AS t CROSS JOIN LATERAL (SELECT t.collection_id) AS c(collection_id));
BEGIN
    IF cardinality(touched) > 0 THEN
        PERFORM ingestion_note_change(touched);
    END IF;
    RETURN NULL;
END $$;
CREATE FUNCTION ingestion_chunk_insert_noted() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE touched integer[] := (SELECT array_agg(DISTINCT coalesce(c.collection_id, 0)) FROM new_rows AS t CROSS JOIN LATERAL (SELECT t.collection_id) AS c(collection_id));
BEGIN
    IF cardinality(touched) > 0 THEN
        PERFORM ingestion_note_change(touched);
    END IF;
    RETURN NULL;
END $$;
CREATE FUNCTION ingestion_chunk_truncate_noted() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE touched integer[] := (SELECT ARRAY[0]);
BEGIN
    IF cardinality(touched) > 0 THEN
        PERFORM ingestion_note_change(touched);
    END IF;
    RETURN NULL;
END $$;
CREATE FUNCTION ingestion_chunk_update_noted() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE touched integer[] := (SELECT array_agg(DISTINCT coalesce(c.collection_id, 0)) FROM (SELECT * FROM old_rows UNION ALL SELECT * FROM new_rows) AS t JOIN (SELECT id FROM old_rows o FULL JOIN new_rows n USING (id) WHERE (o.collection_id, o.document_id, o.text, o.start, o."end", o.line_start, o.line_end, o.page_start, o.page_end, o.heading_path, o.context_before, o.context_after, o.enabled) IS DISTINCT FROM (n.collection_id, n.document_id, n.text, n.start, n."end", n.line_start, n.line_end, n.page_start, n.page_end, n.heading_path, n.context_before, n.context_after, n.enabled)) AS differing USING (id) CROSS JOIN LATERAL (SELECT t.collection_id) AS c(collection_id));
BEGIN
    IF cardinality(touched) > 0 THEN
        PERFORM ingestion_note_change(touched);
    END IF;
    RETURN NULL;
END $$;
CREATE FUNCTION ingestion_collection_delete_noted() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE touched integer[] := (SELECT array_agg(DISTINCT coalesce(c.collection_id, 0)) FROM old_rows AS t CROSS JOIN LATERAL (SELECT t.id) AS c(collection_id));
BEGIN
    IF cardinality(touched) > 0 THEN
        PERFORM ingestion_note_change(touched);
    END IF;
    RETURN NULL;
END $$;
CREATE FUNCTION ingestion_collection_groups_delete_noted() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE touched integer[] := (SELECT array_agg(DISTINCT coalesce(c.collection_id, 0)) FROM old_rows AS t CROSS JOIN LATERAL (SELECT t.collection_id) AS c(collection_id));
BEGIN
    IF cardinality(touched) > 0 THEN
        PERFORM ingestion_note_change(touched);
    END IF;
    RETURN NULL;
END $$;
CREATE FUNCTION ingestion_collection_groups_insert_noted() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE touched integer[] := (SELECT array_agg(DISTINCT coalesce(c.collection_id, 0)) FROM new_rows AS t CROSS JOIN LATERAL (SELECT t.collection_id) AS c(collection_id));
BEGIN
    IF cardinality(touched) > 0 THEN
        PERFORM ingestion_note_change(touched);
    END IF;
    RETURN NULL;
END $$;
CREATE FUNCTION ingestion_collection_groups_truncate_noted() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE touched integer[] := (SELECT ARRAY[0]);
BEGIN
    IF cardinality(touched) > 0 THEN
        PERFORM ingestion_note_change(touched);
    END IF;
    RETURN NULL;
END $$;
CREATE FUNCTION ingestion_collection_groups_update_noted() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE touched integer[] := (SELECT array_agg(DISTINCT coalesce(c.collection_id, 0)) FROM (SELECT * FROM old_rows UNION ALL SELECT * FROM new_rows) AS t JOIN (SELECT id FROM old_rows o FULL JOIN new_rows n USING (id) WHERE (o.collection_id, o.group_id) IS DISTINCT FROM (n.collection_id, n.group_id)) AS differing USING (id) CROSS JOIN LATERAL (SELECT t.collection_id) AS c(collection_id));
BEGIN
    IF cardinality(touched) > 0 THEN
        PERFORM ingestion_note_change(touched);
    END IF;
    RETURN NULL;
END $$;
CREATE FUNCTION ingestion_collection_insert_noted() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE touched integer[] := (SELECT array_agg(DISTINCT coalesce(c.collection_id, 0)) FROM new_rows AS t CROSS JOIN LATERAL (SELECT t.id) AS c(collection_id));
BEGIN
    IF cardinality(touched) > 0 THEN
        PERFORM ingestion_note_change(touched);
    END IF;
    RETURN NULL;
END $$;
CREATE FUNCTION ingestion_collection_truncate_noted() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE touched integer[] := (SELECT ARRAY[0]);
BEGIN
    IF cardinality(touched) > 0 THEN
        PERFORM ingestion_note_change(touched);
    END IF;
    RETURN NULL;
END $$;
CREATE FUNCTION ingestion_collection_update_noted() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE touched integer[] := (SELECT array_agg(DISTINCT coalesce(c.collection_id, 0)) FROM (SELECT * FROM old_rows UNION ALL SELECT * FROM new_rows) AS t JOIN (SELECT id FROM old_rows o FULL JOIN new_rows n USING (id) WHERE (o.slug, o.visibility, o.preset, o.lemma_weight, o.form_weight) IS DISTINCT FROM (n.slug, n.visibility, n.preset, n.lemma_weight, n.form_weight)) AS differing USING (id) CROSS JOIN LATERAL (SELECT t.id) AS c(collection_id));
BEGIN
    IF cardinality(touched) > 0 THEN
        PERFORM ingestion_note_change(touched);
    END IF;
    RETURN NULL;
END $$;
CREATE FUNCTION ingestion_count_mentions() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE sign integer := CASE TG_OP WHEN 'INSERT' THEN 1 ELSE -1 END;
BEGIN
    PERFORM pg_advisory_xact_lock(7201, collection_id)
        FROM (SELECT DISTINCT e.collection_id FROM changed JOIN ingestion_entity e ON e.id = changed.entity_id
              ORDER BY e.collection_id) AS touched;
    UPDATE ingestion_entity AS e SET chunks = e.chunks + sign * counted.chunks
        FROM (SELECT entity_id, count(*) AS chunks FROM changed GROUP BY entity_id) AS counted
        WHERE e.id = counted.entity_id;
    RETURN NULL;
END $$;
CREATE FUNCTION ingestion_count_postings() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE sign integer := CASE TG_OP WHEN 'INSERT' THEN 1 ELSE -1 END;
BEGIN
    PERFORM pg_advisory_xact_lock(7201, collection_id)
        FROM (SELECT DISTINCT collection_id FROM changed ORDER BY collection_id) AS touched;
    INSERT INTO ingestion_termstatistics AS s (term_id, collection_id, lemma_chunks, form_chunks)
        SELECT term_id, collection_id, sign * count(*) FILTER (WHERE lemma_count > 0),
               sign * count(*) FILTER (WHERE form_count > 0)
        FROM changed GROUP BY term_id, collection_id ORDER BY collection_id, term_id
    ON CONFLICT (term_id, collection_id) DO UPDATE
        SET lemma_chunks = s.lemma_chunks + excluded.lemma_chunks, form_chunks = s.form_chunks + excluded.form_chunks;
    INSERT INTO ingestion_collectionstatistics AS s (collection_id, chunks, words)
        SELECT collection_id, sign * count(*), sign * sum(length)
        FROM (SELECT DISTINCT collection_id, chunk_id, length FROM changed) AS chunk
        GROUP BY collection_id ORDER BY collection_id
    ON CONFLICT (collection_id) DO UPDATE SET chunks = s.chunks + excluded.chunks, words = s.words + excluded.words;
    IF TG_OP = 'INSERT' THEN
        UPDATE ingestion_collectionstatistics s SET late = s.late || found.chunks
        FROM (
            SELECT c.collection_id, array_agg(DISTINCT c.chunk_id) AS chunks
            FROM changed c JOIN ingestion_collectionstatistics k USING (collection_id)
            WHERE c.chunk_id <= k.packing_to
            GROUP BY c.collection_id
        ) AS found
        WHERE s.collection_id = found.collection_id;
    END IF;
    RETURN NULL;
END $$;
CREATE FUNCTION ingestion_document_delete_noted() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE touched integer[] := (SELECT array_agg(DISTINCT coalesce(c.collection_id, 0)) FROM old_rows AS t CROSS JOIN LATERAL (SELECT t.collection_id) AS c(collection_id));
BEGIN
    IF cardinality(touched) > 0 THEN
        PERFORM ingestion_note_change(touched);
    END IF;
    RETURN NULL;
END $$;
CREATE FUNCTION ingestion_document_insert_noted() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE touched integer[] := (SELECT array_agg(DISTINCT coalesce(c.collection_id, 0)) FROM new_rows AS t CROSS JOIN LATERAL (SELECT t.collection_id) AS c(collection_id));
BEGIN
    IF cardinality(touched) > 0 THEN
        PERFORM ingestion_note_change(touched);
    END IF;
    RETURN NULL;
END $$;
CREATE FUNCTION ingestion_document_truncate_noted() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE touched integer[] := (SELECT ARRAY[0]);
BEGIN
    IF cardinality(touched) > 0 THEN
        PERFORM ingestion_note_change(touched);
    END IF;
    RETURN NULL;
END $$;
CREATE FUNCTION ingestion_document_update_noted() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE touched integer[] := (SELECT array_agg(DISTINCT coalesce(c.collection_id, 0)) FROM (SELECT * FROM old_rows UNION ALL SELECT * FROM new_rows) AS t JOIN (SELECT id FROM old_rows o FULL JOIN new_rows n USING (id) WHERE (o.collection_id, o.source_id, o.title, o.uri, o.media_type, o.language, o.category, o.tags, o.version, o.valid_from, o.valid_to, o.metadata, o.modified, (o.status = 'ready')) IS DISTINCT FROM (n.collection_id, n.source_id, n.title, n.uri, n.media_type, n.language, n.category, n.tags, n.version, n.valid_from, n.valid_to, n.metadata, n.modified, (n.status = 'ready'))) AS differing USING (id) CROSS JOIN LATERAL (SELECT t.collection_id) AS c(collection_id));
BEGIN
    IF cardinality(touched) > 0 THEN
        PERFORM ingestion_note_change(touched);
    END IF;
    RETURN NULL;
END $$;
CREATE FUNCTION ingestion_embeddingspace_delete_noted() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE touched integer[] := (SELECT array_agg(DISTINCT coalesce(c.collection_id, 0)) FROM old_rows AS t CROSS JOIN LATERAL (SELECT 0) AS c(collection_id));
BEGIN
    IF cardinality(touched) > 0 THEN
        PERFORM ingestion_note_change(touched);
    END IF;
    RETURN NULL;
END $$;
CREATE FUNCTION ingestion_embeddingspace_insert_noted() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE touched integer[] := (SELECT array_agg(DISTINCT coalesce(c.collection_id, 0)) FROM new_rows AS t CROSS JOIN LATERAL (SELECT 0) AS c(collection_id));
BEGIN
    IF cardinality(touched) > 0 THEN
        PERFORM ingestion_note_change(touched);
    END IF;
    RETURN NULL;
END $$;
CREATE FUNCTION ingestion_embeddingspace_truncate_noted() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE touched integer[] := (SELECT ARRAY[0]);
BEGIN
    IF cardinality(touched) > 0 THEN
        PERFORM ingestion_note_change(touched);
    END IF;
    RETURN NULL;
END $$;
CREATE FUNCTION ingestion_embeddingspace_update_noted() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE touched integer[] := (SELECT array_agg(DISTINCT coalesce(c.collection_id, 0)) FROM (SELECT * FROM old_rows UNION ALL SELECT * FROM new_rows) AS t JOIN (SELECT id FROM old_rows o FULL JOIN new_rows n USING (id) WHERE (o.embedder, o.model, o.dimension, o.template_version, o.options, o.sentence_vectors, o.status, o.fusion, o.calibration) IS DISTINCT FROM (n.embedder, n.model, n.dimension, n.template_version, n.options, n.sentence_vectors, n.status, n.fusion, n.calibration)) AS differing USING (id) CROSS JOIN LATERAL (SELECT 0) AS c(collection_id));
BEGIN
    IF cardinality(touched) > 0 THEN
        PERFORM ingestion_note_change(touched);
    END IF;
    RETURN NULL;
END $$;
CREATE FUNCTION ingestion_entitymention_delete_noted() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE touched integer[] := (SELECT array_agg(DISTINCT coalesce(c.collection_id, 0)) FROM old_rows AS t CROSS JOIN LATERAL (SELECT e.collection_id FROM ingestion_entity e WHERE e.id = t.entity_id) AS c(collection_id));
BEGIN
    IF cardinality(touched) > 0 THEN
        PERFORM ingestion_note_change(touched);
    END IF;
    RETURN NULL;
END $$;
CREATE FUNCTION ingestion_entitymention_insert_noted() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE touched integer[] := (SELECT array_agg(DISTINCT coalesce(c.collection_id, 0)) FROM new_rows AS t CROSS JOIN LATERAL (SELECT e.collection_id FROM ingestion_entity e WHERE e.id = t.entity_id) AS c(collection_id));
BEGIN
    IF cardinality(touched) > 0 THEN
        PERFORM ingestion_note_change(touched);
    END IF;
    RETURN NULL;
END $$;
CREATE FUNCTION ingestion_entitymention_truncate_noted() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE touched integer[] := (SELECT ARRAY[0]);
BEGIN
    IF cardinality(touched) > 0 THEN
        PERFORM ingestion_note_change(touched);
    END IF;
    RETURN NULL;
END $$;
CREATE FUNCTION ingestion_entitymention_update_noted() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE touched integer[] := (SELECT array_agg(DISTINCT coalesce(c.collection_id, 0)) FROM (SELECT * FROM old_rows UNION ALL SELECT * FROM new_rows) AS t JOIN (SELECT entity_id, chunk_id FROM old_rows o FULL JOIN new_rows n USING (entity_id, chunk_id) WHERE (o.count) IS DISTINCT FROM (n.count)) AS differing USING (entity_id, chunk_id) CROSS JOIN LATERAL (SELECT e.collection_id FROM ingestion_entity e WHERE e.id = t.entity_id) AS c(collection_id));
BEGIN
    IF cardinality(touched) > 0 THEN
        PERFORM ingestion_note_change(touched);
    END IF;
    RETURN NULL;
END $$;
CREATE FUNCTION ingestion_extraction_delete_noted() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE touched integer[] := (SELECT array_agg(DISTINCT coalesce(c.collection_id, 0)) FROM old_rows AS t CROSS JOIN LATERAL (SELECT d.collection_id FROM ingestion_document d WHERE d.id = t.document_id) AS c(collection_id));
BEGIN
    IF cardinality(touched) > 0 THEN
        PERFORM ingestion_note_change(touched);
    END IF;
    RETURN NULL;
END $$;
CREATE FUNCTION ingestion_extraction_insert_noted() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE touched integer[] := (SELECT array_agg(DISTINCT coalesce(c.collection_id, 0)) FROM new_rows AS t CROSS JOIN LATERAL (SELECT d.collection_id FROM ingestion_document d WHERE d.id = t.document_id) AS c(collection_id));
BEGIN
    IF cardinality(touched) > 0 THEN
        PERFORM ingestion_note_change(touched);
    END IF;
    RETURN NULL;
END $$;
CREATE FUNCTION ingestion_extraction_truncate_noted() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE touched integer[] := (SELECT ARRAY[0]);
BEGIN
    IF cardinality(touched) > 0 THEN
        PERFORM ingestion_note_change(touched);
    END IF;
    RETURN NULL;
END $$;
CREATE FUNCTION ingestion_extraction_update_noted() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE touched integer[] := (SELECT array_agg(DISTINCT coalesce(c.collection_id, 0)) FROM (SELECT * FROM old_rows UNION ALL SELECT * FROM new_rows) AS t JOIN (SELECT id FROM old_rows o FULL JOIN new_rows n USING (id) WHERE (o.document_id, o.text, o.page_starts) IS DISTINCT FROM (n.document_id, n.text, n.page_starts)) AS differing USING (id) CROSS JOIN LATERAL (SELECT d.collection_id FROM ingestion_document d WHERE d.id = t.document_id) AS c(collection_id));
BEGIN
    IF cardinality(touched) > 0 THEN
        PERFORM ingestion_note_change(touched);
    END IF;
    RETURN NULL;
END $$;
CREATE FUNCTION ingestion_fold_changes() RETURNS void LANGUAGE sql AS $$
    WITH free AS (SELECT id FROM ingestion_knowledgechange FOR UPDATE SKIP LOCKED),
    taken AS (
        DELETE FROM ingestion_knowledgechange AS note USING free WHERE note.id = free.id
        RETURNING note.collection_id, note.weight
    )
    INSERT INTO ingestion_knowledgechange (collection_id, weight)
        SELECT collection_id, sum(weight)::bigint FROM taken GROUP BY collection_id
$$;
CREATE FUNCTION ingestion_glossaryentry_delete_noted() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE touched integer[] := (SELECT array_agg(DISTINCT coalesce(c.collection_id, 0)) FROM old_rows AS t CROSS JOIN LATERAL (SELECT t.collection_id) AS c(collection_id));
BEGIN
    IF cardinality(touched) > 0 THEN
        PERFORM ingestion_note_change(touched);
    END IF;
    RETURN NULL;
END $$;
CREATE FUNCTION ingestion_glossaryentry_insert_noted() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE touched integer[] := (SELECT array_agg(DISTINCT coalesce(c.collection_id, 0)) FROM new_rows AS t CROSS JOIN LATERAL (SELECT t.collection_id) AS c(collection_id));
BEGIN
    IF cardinality(touched) > 0 THEN
        PERFORM ingestion_note_change(touched);
    END IF;
    RETURN NULL;
END $$;
CREATE FUNCTION ingestion_glossaryentry_truncate_noted() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE touched integer[] := (SELECT ARRAY[0]);
BEGIN
    IF cardinality(touched) > 0 THEN
        PERFORM ingestion_note_change(touched);
    END IF;
    RETURN NULL;
END $$;
CREATE FUNCTION ingestion_glossaryentry_update_noted() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE touched integer[] := (SELECT array_agg(DISTINCT coalesce(c.collection_id, 0)) FROM (SELECT * FROM old_rows UNION ALL SELECT * FROM new_rows) AS t JOIN (SELECT id FROM old_rows o FULL JOIN new_rows n USING (id) WHERE (o.collection_id, o.term, o.definition, o.aliases, o.kind, o.phrases) IS DISTINCT FROM (n.collection_id, n.term, n.definition, n.aliases, n.kind, n.phrases)) AS differing USING (id) CROSS JOIN LATERAL (SELECT t.collection_id) AS c(collection_id));
BEGIN
    IF cardinality(touched) > 0 THEN
        PERFORM ingestion_note_change(touched);
    END IF;
    RETURN NULL;
END $$;
CREATE FUNCTION ingestion_note_change(touched integer[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO ingestion_knowledgechange (collection_id, weight)
        SELECT collection, 1 + floor(random() * 4294967296)::bigint FROM unnest(touched) AS collection;
    IF random() < 0.005 THEN
        PERFORM ingestion_fold_changes();
    END IF;
END $$;
CREATE FUNCTION ingestion_source_delete_noted() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE touched integer[] := (SELECT array_agg(DISTINCT coalesce(c.collection_id, 0)) FROM old_rows AS t CROSS JOIN LATERAL (SELECT t.collection_id) AS c(collection_id));
BEGIN
    IF cardinality(touched) > 0 THEN
        PERFORM ingestion_note_change(touched);
    END IF;
    RETURN NULL;
END $$;
CREATE FUNCTION ingestion_source_insert_noted() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE touched integer[] := (SELECT array_agg(DISTINCT coalesce(c.collection_id, 0)) FROM new_rows AS t CROSS JOIN LATERAL (SELECT t.collection_id) AS c(collection_id));
BEGIN
    IF cardinality(touched) > 0 THEN
        PERFORM ingestion_note_change(touched);
    END IF;
    RETURN NULL;
END $$;
CREATE FUNCTION ingestion_source_truncate_noted() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE touched integer[] := (SELECT ARRAY[0]);
BEGIN
    IF cardinality(touched) > 0 THEN
        PERFORM ingestion_note_change(touched);
    END IF;
    RETURN NULL;
END $$;
CREATE FUNCTION ingestion_source_update_noted() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE touched integer[] := (SELECT array_agg(DISTINCT coalesce(c.collection_id, 0)) FROM (SELECT * FROM old_rows UNION ALL SELECT * FROM new_rows) AS t JOIN (SELECT id FROM old_rows o FULL JOIN new_rows n USING (id) WHERE (o.collection_id, o.name) IS DISTINCT FROM (n.collection_id, n.name)) AS differing USING (id) CROSS JOIN LATERAL (SELECT t.collection_id) AS c(collection_id));
BEGIN
    IF cardinality(touched) > 0 THEN
        PERFORM ingestion_note_change(touched);
    END IF;
    RETURN NULL;
END $$;
CREATE FUNCTION ingestion_synonym_delete_noted() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE touched integer[] := (SELECT array_agg(DISTINCT coalesce(c.collection_id, 0)) FROM old_rows AS t CROSS JOIN LATERAL (SELECT g.collection_id FROM (SELECT) AS one LEFT JOIN ingestion_synonymgroup g ON g.id = t.group_id) AS c(collection_id));
BEGIN
    IF cardinality(touched) > 0 THEN
        PERFORM ingestion_note_change(touched);
    END IF;
    RETURN NULL;
END $$;
CREATE FUNCTION ingestion_synonym_insert_noted() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE touched integer[] := (SELECT array_agg(DISTINCT coalesce(c.collection_id, 0)) FROM new_rows AS t CROSS JOIN LATERAL (SELECT g.collection_id FROM (SELECT) AS one LEFT JOIN ingestion_synonymgroup g ON g.id = t.group_id) AS c(collection_id));
BEGIN
    IF cardinality(touched) > 0 THEN
        PERFORM ingestion_note_change(touched);
    END IF;
    RETURN NULL;
END $$;
CREATE FUNCTION ingestion_synonym_truncate_noted() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE touched integer[] := (SELECT ARRAY[0]);
BEGIN
    IF cardinality(touched) > 0 THEN
        PERFORM ingestion_note_change(touched);
    END IF;
    RETURN NULL;
END $$;
CREATE FUNCTION ingestion_synonym_update_noted() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE touched integer[] := (SELECT array_agg(DISTINCT coalesce(c.collection_id, 0)) FROM (SELECT * FROM old_rows UNION ALL SELECT * FROM new_rows) AS t JOIN (SELECT id FROM old_rows o FULL JOIN new_rows n USING (id) WHERE (o.group_id, o.text, o.phrase, o.position) IS DISTINCT FROM (n.group_id, n.text, n.phrase, n.position)) AS differing USING (id) CROSS JOIN LATERAL (SELECT g.collection_id FROM (SELECT) AS one LEFT JOIN ingestion_synonymgroup g ON g.id = t.group_id) AS c(collection_id));
BEGIN
    IF cardinality(touched) > 0 THEN
        PERFORM ingestion_note_change(touched);
    END IF;
    RETURN NULL;
END $$;
CREATE FUNCTION ingestion_synonymgroup_delete_noted() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE touched integer[] := (SELECT array_agg(DISTINCT coalesce(c.collection_id, 0)) FROM old_rows AS t CROSS JOIN LATERAL (SELECT t.collection_id) AS c(collection_id));
BEGIN
    IF cardinality(touched) > 0 THEN
        PERFORM ingestion_note_change(touched);
    END IF;
    RETURN NULL;
END $$;
CREATE FUNCTION ingestion_synonymgroup_insert_noted() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE touched integer[] := (SELECT array_agg(DISTINCT coalesce(c.collection_id, 0)) FROM new_rows AS t CROSS JOIN LATERAL (SELECT t.collection_id) AS c(collection_id));
BEGIN
    IF cardinality(touched) > 0 THEN
        PERFORM ingestion_note_change(touched);
    END IF;
    RETURN NULL;
END $$;
CREATE FUNCTION ingestion_synonymgroup_truncate_noted() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE touched integer[] := (SELECT ARRAY[0]);
BEGIN
    IF cardinality(touched) > 0 THEN
        PERFORM ingestion_note_change(touched);
    END IF;
    RETURN NULL;
END $$;
CREATE FUNCTION ingestion_synonymgroup_update_noted() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE touched integer[] := (SELECT array_agg(DISTINCT coalesce(c.collection_id, 0)) FROM (SELECT * FROM old_rows UNION ALL SELECT * FROM new_rows) AS t JOIN (SELECT id FROM old_rows o FULL JOIN new_rows n USING (id) WHERE (o.collection_id, o.direction, o.weight, o.enabled, o.source) IS DISTINCT FROM (n.collection_id, n.direction, n.weight, n.enabled, n.source)) AS differing USING (id) CROSS JOIN LATERAL (SELECT t.collection_id) AS c(collection_id));
BEGIN
    IF cardinality(touched) > 0 THEN
        PERFORM ingestion_note_change(touched);
    END IF;
    RETURN NULL;
END $$;
CREATE FUNCTION rag_forget_answers() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM rag_cachedanswer WHERE id IN (
        SELECT id FROM rag_cachedanswer
        WHERE documents && (SELECT coalesce(array_agg(gone.id), '{}') FROM gone) ORDER BY id FOR UPDATE
    );
    RETURN NULL;
END $$;
CREATE TABLE auth_group ( id integer NOT NULL, name character varying(150) NOT NULL );
ALTER TABLE auth_group ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY ( SEQUENCE NAME auth_group_id_seq );
CREATE TABLE auth_group_permissions ( id bigint NOT NULL, group_id integer NOT NULL, permission_id integer NOT NULL );
ALTER TABLE auth_group_permissions ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY ( SEQUENCE NAME auth_group_permissions_id_seq );
CREATE TABLE auth_permission ( id integer NOT NULL, name character varying(255) NOT NULL, content_type_id integer NOT NULL, codename character varying(100) NOT NULL );
ALTER TABLE auth_permission ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY ( SEQUENCE NAME auth_permission_id_seq );
CREATE TABLE auth_user ( id integer NOT NULL, password character varying(128) NOT NULL, last_login timestamp with time zone, is_superuser boolean NOT NULL, username character varying(150) NOT NULL, first_name character varying(150) NOT NULL, last_name character varying(150) NOT NULL, email character varying(254) NOT NULL, is_staff boolean NOT NULL, is_active boolean NOT NULL, date_joined timestamp with time zone NOT NULL );
CREATE TABLE auth_user_groups ( id bigint NOT NULL, user_id integer NOT NULL, group_id integer NOT NULL );
ALTER TABLE auth_user_groups ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY ( SEQUENCE NAME auth_user_groups_id_seq );
ALTER TABLE auth_user ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY ( SEQUENCE NAME auth_user_id_seq );
CREATE TABLE auth_user_user_permissions ( id bigint NOT NULL, user_id integer NOT NULL, permission_id integer NOT NULL );
ALTER TABLE auth_user_user_permissions ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY ( SEQUENCE NAME auth_user_user_permissions_id_seq );
CREATE TABLE django_admin_log ( id integer NOT NULL, action_time timestamp with time zone NOT NULL, object_id text, object_repr character varying(200) NOT NULL, action_flag smallint NOT NULL, change_message text NOT NULL, content_type_id integer, user_id integer NOT NULL, CONSTRAINT django_admin_log_action_flag_check CHECK ((action_flag >= 0)) );
ALTER TABLE django_admin_log ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY ( SEQUENCE NAME django_admin_log_id_seq );
CREATE TABLE django_content_type ( id integer NOT NULL, app_label character varying(100) NOT NULL, model character varying(100) NOT NULL );
ALTER TABLE django_content_type ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY ( SEQUENCE NAME django_content_type_id_seq );
CREATE TABLE django_migrations ( id bigint NOT NULL, app character varying(255) NOT NULL, name character varying(255) NOT NULL, applied timestamp with time zone NOT NULL );
ALTER TABLE django_migrations ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY ( SEQUENCE NAME django_migrations_id_seq );
CREATE TABLE django_q_ormq ( id integer NOT NULL, key character varying(100) NOT NULL, payload text NOT NULL, lock timestamp with time zone );
ALTER TABLE django_q_ormq ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY ( SEQUENCE NAME django_q_ormq_id_seq );
CREATE TABLE django_q_schedule ( id integer NOT NULL, func character varying(256) NOT NULL, hook character varying(256), args text, kwargs text, schedule_type character varying(2) NOT NULL, repeats integer NOT NULL, next_run timestamp with time zone, task character varying(100), name character varying(100), minutes smallint, cron character varying(100), cluster character varying(100), intended_date_kwarg character varying(100), CONSTRAINT django_q_schedule_minutes_check CHECK ((minutes >= 0)) );
ALTER TABLE django_q_schedule ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY ( SEQUENCE NAME django_q_schedule_id_seq );
CREATE TABLE django_q_task ( name character varying(100) NOT NULL, func character varying(256) NOT NULL, hook character varying(256), args text, kwargs text, result text, started timestamp with time zone NOT NULL, stopped timestamp with time zone NOT NULL, success boolean NOT NULL, id character varying(32) NOT NULL, "group" character varying(100), attempt_count integer NOT NULL, cluster character varying(100) );
CREATE TABLE django_session ( session_key character varying(40) NOT NULL, session_data text NOT NULL, expire_date timestamp with time zone NOT NULL );
CREATE TABLE ingestion_chunk ( id integer NOT NULL, ordinal integer NOT NULL, kind character varying(8) NOT NULL, text text NOT NULL, start integer NOT NULL, "end" integer NOT NULL, line_start integer NOT NULL, line_end integer NOT NULL, page_start integer, page_end integer, heading_path text[] NOT NULL, context_before text NOT NULL, context_after text NOT NULL, enabled boolean NOT NULL, retrieval_quality character varying(8) NOT NULL, last_quality_check timestamp with time zone, collection_id integer NOT NULL, document_id bigint NOT NULL, extraction_id bigint NOT NULL, original_text text NOT NULL, CONSTRAINT ingestion_chunk_end_check CHECK (("end" >= 0)), CONSTRAINT ingestion_chunk_line_end_check CHECK ((line_end >= 0)), CONSTRAINT ingestion_chunk_line_start_check CHECK ((line_start >= 0)), CONSTRAINT ingestion_chunk_ordinal_check CHECK ((ordinal >= 0)), CONSTRAINT ingestion_chunk_page_end_check CHECK ((page_end >= 0)), CONSTRAINT ingestion_chunk_page_start_check CHECK ((page_start >= 0)), CONSTRAINT ingestion_chunk_start_check CHECK ((start >= 0)) );
ALTER TABLE ingestion_chunk ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY ( SEQUENCE NAME ingestion_chunk_id_seq );
CREATE TABLE ingestion_chunkembedding ( id bigint NOT NULL, embedding vector NOT NULL, chunk_id integer NOT NULL, space_id bigint NOT NULL, part smallint NOT NULL, CONSTRAINT ingestion_chunkembedding_part_check CHECK ((part >= 0)) );
ALTER TABLE ingestion_chunkembedding ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY ( SEQUENCE NAME ingestion_chunkembedding_id_seq );
CREATE TABLE ingestion_chunksketch ( signature bytea NOT NULL, bands integer[] NOT NULL, chunk_id integer NOT NULL );
CREATE TABLE ingestion_chunkwords ( chunk_id integer NOT NULL, terms bytea NOT NULL );
CREATE TABLE ingestion_collection ( id integer NOT NULL, name character varying(200) NOT NULL, slug character varying(80) NOT NULL, description text NOT NULL, visibility character varying(12) NOT NULL, preset character varying(40) NOT NULL, lemma_weight double precision NOT NULL, form_weight double precision NOT NULL, created timestamp with time zone NOT NULL, mask_personal_data boolean NOT NULL, chunking jsonb NOT NULL );
CREATE TABLE ingestion_collection_groups ( id bigint NOT NULL, collection_id integer NOT NULL, group_id integer NOT NULL );
ALTER TABLE ingestion_collection_groups ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY ( SEQUENCE NAME ingestion_collection_groups_id_seq );
ALTER TABLE ingestion_collection ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY ( SEQUENCE NAME ingestion_collection_id_seq );
CREATE TABLE ingestion_collectionstatistics ( collection_id integer NOT NULL, chunks bigint NOT NULL, words bigint NOT NULL, late integer[] DEFAULT '{}'::integer[] NOT NULL, packed_to integer DEFAULT 0 NOT NULL, packing_to integer DEFAULT 0 NOT NULL );
CREATE TABLE ingestion_document ( id bigint NOT NULL, title character varying(500) NOT NULL, uri character varying(2000) NOT NULL, file character varying(200) NOT NULL, file_name character varying(300) NOT NULL, media_type character varying(120) NOT NULL, checksum character varying(64) NOT NULL, size bigint NOT NULL, language character varying(8) NOT NULL, category character varying(100) NOT NULL, tags character varying(60)[] NOT NULL, version character varying(40) NOT NULL, valid_from date, valid_to date, metadata jsonb NOT NULL, status character varying(12) NOT NULL, error_code character varying(60) NOT NULL, error_message text NOT NULL, warnings jsonb NOT NULL, chunk_count integer NOT NULL, created timestamp with time zone NOT NULL, modified timestamp with time zone NOT NULL, indexed timestamp with time zone, collection_id integer NOT NULL, source_id bigint, edited text[] NOT NULL, chunking jsonb NOT NULL, names_version smallint NOT NULL, given jsonb NOT NULL, CONSTRAINT ingestion_document_chunk_count_check CHECK ((chunk_count >= 0)), CONSTRAINT ingestion_document_names_version_check CHECK ((names_version >= 0)), CONSTRAINT ingestion_document_size_check CHECK ((size >= 0)), CONSTRAINT validity_in_order CHECK (((valid_to IS NULL) OR (valid_from IS NULL) OR (valid_to >= valid_from))) );
ALTER TABLE ingestion_document ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY ( SEQUENCE NAME ingestion_document_id_seq );
CREATE TABLE ingestion_documentsketch ( signature bytea NOT NULL, bands integer[] NOT NULL, document_id bigint NOT NULL );
CREATE TABLE ingestion_documentversion ( id bigint NOT NULL, number integer NOT NULL, label character varying(40) NOT NULL, file character varying(200) NOT NULL, file_name character varying(300) NOT NULL, checksum character varying(64) NOT NULL, size bigint NOT NULL, text text NOT NULL, created timestamp with time zone NOT NULL, author_id integer, document_id bigint NOT NULL, CONSTRAINT ingestion_documentversion_number_check CHECK ((number >= 0)), CONSTRAINT ingestion_documentversion_size_check CHECK ((size >= 0)) );
ALTER TABLE ingestion_documentversion ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY ( SEQUENCE NAME ingestion_documentversion_id_seq );
CREATE TABLE ingestion_embeddingcacheentry ( text_hash bytea NOT NULL, embedding bytea NOT NULL, used timestamp with time zone NOT NULL, space_id bigint NOT NULL );
ALTER TABLE ingestion_embeddingcacheentry ALTER COLUMN embedding SET STORAGE EXTERNAL;
CREATE TABLE ingestion_embeddingspace ( id bigint NOT NULL, name character varying(80) NOT NULL, embedder character varying(60) NOT NULL, model character varying(300) NOT NULL, dimension integer NOT NULL, template_version smallint NOT NULL, status character varying(10) NOT NULL, fusion jsonb NOT NULL, created timestamp with time zone NOT NULL, activated timestamp with time zone, calibration jsonb NOT NULL, options jsonb NOT NULL, sentence_vectors boolean NOT NULL, activate_when_full boolean NOT NULL, error text NOT NULL, gate character varying(100) NOT NULL, gate_margin double precision NOT NULL, paused boolean NOT NULL, retired timestamp with time zone, CONSTRAINT ingestion_embeddingspace_dimension_check CHECK ((dimension >= 0)), CONSTRAINT ingestion_embeddingspace_template_version_check CHECK ((template_version >= 0)) );
ALTER TABLE ingestion_embeddingspace ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY ( SEQUENCE NAME ingestion_embeddingspace_id_seq );
CREATE TABLE ingestion_entity ( id integer NOT NULL, key character varying(300) NOT NULL, name character varying(300) NOT NULL, kind character varying(60) NOT NULL, chunks integer NOT NULL, collection_id integer NOT NULL ) WITH (fillfactor='80');
ALTER TABLE ingestion_entity ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY ( SEQUENCE NAME ingestion_entity_id_seq );
CREATE TABLE ingestion_entitymention ( count smallint NOT NULL, chunk_id integer NOT NULL, entity_id integer NOT NULL ) WITH (autovacuum_vacuum_insert_scale_factor='0.02', autovacuum_vacuum_scale_factor='0.05');
CREATE TABLE ingestion_erasure ( id bigint NOT NULL, document_number bigint NOT NULL, counts jsonb NOT NULL, created timestamp with time zone NOT NULL, collection_id integer, erased_by_id integer );
ALTER TABLE ingestion_erasure ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY ( SEQUENCE NAME ingestion_erasure_id_seq );
CREATE TABLE ingestion_extraction ( id bigint NOT NULL, extractor character varying(60) NOT NULL, text text NOT NULL, page_starts integer[] NOT NULL, created timestamp with time zone NOT NULL, document_id bigint NOT NULL, checksum character varying(64) NOT NULL );
ALTER TABLE ingestion_extraction ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY ( SEQUENCE NAME ingestion_extraction_id_seq );
CREATE TABLE ingestion_glossaryentry ( id bigint NOT NULL, term character varying(200) NOT NULL, definition text NOT NULL, aliases character varying(200)[] NOT NULL, kind character varying(60) NOT NULL, phrases character varying(1000)[] NOT NULL, modified timestamp with time zone NOT NULL, collection_id integer );
ALTER TABLE ingestion_glossaryentry ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY ( SEQUENCE NAME ingestion_glossaryentry_id_seq );
CREATE TABLE ingestion_job ( id uuid NOT NULL, kind character varying(30) NOT NULL, status character varying(10) NOT NULL, stage character varying(12) NOT NULL, done integer NOT NULL, total integer NOT NULL, attempts smallint NOT NULL, heartbeat timestamp with time zone, error_code character varying(60) NOT NULL, error_message text NOT NULL, created timestamp with time zone NOT NULL, started timestamp with time zone, finished timestamp with time zone, collection_id integer, document_id bigint, due timestamp with time zone, failures smallint NOT NULL, rate double precision, space_id bigint, source_id bigint, rechunking_id bigint, CONSTRAINT ingestion_job_attempts_check CHECK ((attempts >= 0)), CONSTRAINT ingestion_job_done_check CHECK ((done >= 0)), CONSTRAINT ingestion_job_failures_check CHECK ((failures >= 0)), CONSTRAINT ingestion_job_total_check CHECK ((total >= 0)) );
CREATE TABLE ingestion_jobattempt ( id bigint NOT NULL, started timestamp with time zone NOT NULL, claimed timestamp with time zone NOT NULL, finished timestamp with time zone, outcome character varying(12) NOT NULL, error_code character varying(60) NOT NULL, error_message text NOT NULL, worker character varying(100) NOT NULL, job_id uuid NOT NULL );
ALTER TABLE ingestion_jobattempt ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY ( SEQUENCE NAME ingestion_jobattempt_id_seq );
CREATE TABLE ingestion_knowledgechange ( id bigint NOT NULL, collection_id integer NOT NULL, weight bigint NOT NULL );
ALTER TABLE ingestion_knowledgechange ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY ( SEQUENCE NAME ingestion_knowledgechange_id_seq );
CREATE TABLE ingestion_personaldata ( id bigint NOT NULL, kind character varying(14) NOT NULL, start integer NOT NULL, "end" integer NOT NULL, document_id bigint NOT NULL, extraction_id bigint NOT NULL, CONSTRAINT ingestion_personaldata_end_check CHECK (("end" >= 0)), CONSTRAINT ingestion_personaldata_start_check CHECK ((start >= 0)) );
ALTER TABLE ingestion_personaldata ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY ( SEQUENCE NAME ingestion_personaldata_id_seq );
CREATE TABLE ingestion_posting ( lemma_count smallint NOT NULL, form_count smallint NOT NULL, length integer NOT NULL, chunk_id integer NOT NULL, collection_id integer NOT NULL, term_id integer NOT NULL ) WITH (autovacuum_vacuum_insert_scale_factor='0.02', autovacuum_vacuum_scale_factor='0.05');
CREATE TABLE ingestion_postinglist ( packed_to integer NOT NULL, postings bytea NOT NULL, collection_id integer NOT NULL, term_id integer NOT NULL );
ALTER TABLE ingestion_postinglist ALTER COLUMN postings SET STORAGE EXTERNAL;
CREATE TABLE ingestion_rechunkedcollection ( id bigint NOT NULL, before jsonb NOT NULL, after jsonb NOT NULL, collection_id integer NOT NULL, rechunking_id bigint NOT NULL );
ALTER TABLE ingestion_rechunkedcollection ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY ( SEQUENCE NAME ingestion_rechunkedcollection_id_seq );
CREATE TABLE ingestion_rechunking ( id bigint NOT NULL, status character varying(12) NOT NULL, backwards boolean NOT NULL, gate character varying(100) NOT NULL, gate_margin double precision NOT NULL, score_before double precision, score_after double precision, done integer NOT NULL, total integer NOT NULL, kept integer NOT NULL, unsplit jsonb NOT NULL, verdict text NOT NULL, error text NOT NULL, created timestamp with time zone NOT NULL, started timestamp with time zone, finished timestamp with time zone, CONSTRAINT ingestion_rechunking_done_check CHECK ((done >= 0)), CONSTRAINT ingestion_rechunking_kept_check CHECK ((kept >= 0)), CONSTRAINT ingestion_rechunking_total_check CHECK ((total >= 0)) );
ALTER TABLE ingestion_rechunking ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY ( SEQUENCE NAME ingestion_rechunking_id_seq );
CREATE TABLE ingestion_similardocument ( id bigint NOT NULL, similarity double precision NOT NULL, document_id bigint NOT NULL, other_id bigint NOT NULL );
ALTER TABLE ingestion_similardocument ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY ( SEQUENCE NAME ingestion_similardocument_id_seq );
CREATE TABLE ingestion_source ( id bigint NOT NULL, kind character varying(10) NOT NULL, name character varying(200) NOT NULL, location character varying(2000) NOT NULL, options jsonb NOT NULL, schedule character varying(100) NOT NULL, last_synced timestamp with time zone, last_result jsonb NOT NULL, collection_id integer NOT NULL, owner_id integer, category character varying(100) NOT NULL, delay double precision NOT NULL, exclude character varying(300)[] NOT NULL, gone_policy character varying(8) NOT NULL, include character varying(300)[] NOT NULL, language character varying(8) NOT NULL, max_depth smallint NOT NULL, max_pages integer NOT NULL, obey_robots boolean NOT NULL, rhythm character varying(8) NOT NULL, tags character varying(60)[] NOT NULL, CONSTRAINT ingestion_source_max_depth_check CHECK ((max_depth >= 0)), CONSTRAINT ingestion_source_max_pages_check CHECK ((max_pages >= 0)) );
ALTER TABLE ingestion_source ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY ( SEQUENCE NAME ingestion_source_id_seq );
CREATE TABLE ingestion_sourceaddress ( id bigint NOT NULL, uri character varying(2000) NOT NULL, state character varying(10) NOT NULL, etag text NOT NULL, last_modified text NOT NULL, checksum character varying(64) NOT NULL, links text[] NOT NULL, outcome character varying(10) NOT NULL, since timestamp with time zone NOT NULL, document_id bigint, source_id bigint NOT NULL, report_id bigint );
ALTER TABLE ingestion_sourceaddress ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY ( SEQUENCE NAME ingestion_sourceaddress_id_seq );
CREATE TABLE ingestion_syncreport ( id bigint NOT NULL, status character varying(10) NOT NULL, started timestamp with time zone NOT NULL, finished timestamp with time zone, counts jsonb NOT NULL, lists jsonb NOT NULL, error text NOT NULL, job_id uuid, source_id bigint NOT NULL );
ALTER TABLE ingestion_syncreport ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY ( SEQUENCE NAME ingestion_syncreport_id_seq );
CREATE TABLE ingestion_synonym ( id bigint NOT NULL, text character varying(200) NOT NULL, "position" smallint NOT NULL, group_id bigint NOT NULL, phrase character varying(1000) NOT NULL, CONSTRAINT ingestion_synonym_position_check CHECK (("position" >= 0)) );
ALTER TABLE ingestion_synonym ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY ( SEQUENCE NAME ingestion_synonym_id_seq );
CREATE TABLE ingestion_synonymgroup ( id bigint NOT NULL, name character varying(200) NOT NULL, direction character varying(8) NOT NULL, weight double precision NOT NULL, enabled boolean NOT NULL, collection_id integer, source character varying(10) NOT NULL, CONSTRAINT a_synonym_weighs_less_than_a_typed_word CHECK (((weight > (0.0)::double precision) AND (weight < (1.0)::double precision))) );
ALTER TABLE ingestion_synonymgroup ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY ( SEQUENCE NAME ingestion_synonymgroup_id_seq );
CREATE TABLE ingestion_term ( id integer NOT NULL, text character varying(100) NOT NULL, folded character varying(100) NOT NULL, deletions character varying(100)[] NOT NULL, lemma character varying(100) DEFAULT ''::character varying NOT NULL );
ALTER TABLE ingestion_term ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY ( SEQUENCE NAME ingestion_term_id_seq );
CREATE TABLE ingestion_termstatistics ( lemma_chunks integer NOT NULL, form_chunks integer NOT NULL, collection_id integer NOT NULL, term_id integer NOT NULL );
CREATE UNLOGGED TABLE knowledgetree_allowance ( key character varying(64) NOT NULL, until timestamp with time zone NOT NULL ) WITH (fillfactor='50');
CREATE TABLE rag_assistant ( id bigint NOT NULL, name character varying(200) NOT NULL, slug character varying(80) NOT NULL, description text NOT NULL, preset_name character varying(40) NOT NULL, parts jsonb NOT NULL, enabled boolean NOT NULL, created timestamp with time zone NOT NULL, instructions text NOT NULL, web_search boolean NOT NULL );
CREATE TABLE rag_assistant_collections ( id bigint NOT NULL, assistant_id bigint NOT NULL, collection_id integer NOT NULL );
ALTER TABLE rag_assistant_collections ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY ( SEQUENCE NAME rag_assistant_collections_id_seq );
ALTER TABLE rag_assistant ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY ( SEQUENCE NAME rag_assistant_id_seq );
CREATE TABLE rag_cachedanswer ( id bigint NOT NULL, key character varying(64) NOT NULL, wording character varying(64) NOT NULL, exact character varying(64) NOT NULL, question text NOT NULL, answer text NOT NULL, documents bigint[] NOT NULL, created timestamp with time zone NOT NULL );
ALTER TABLE rag_cachedanswer ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY ( SEQUENCE NAME rag_cachedanswer_id_seq );
CREATE TABLE rag_community ( id bigint NOT NULL, label character varying(320) NOT NULL, model character varying(100) NOT NULL, version character varying(40) NOT NULL, created timestamp with time zone NOT NULL, collection_id integer NOT NULL );
ALTER TABLE rag_community ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY ( SEQUENCE NAME rag_community_id_seq );
CREATE TABLE rag_communitydocument ( document_id bigint NOT NULL, ordinal integer NOT NULL, chunk_id integer NOT NULL, community_id bigint NOT NULL, CONSTRAINT rag_communitydocument_ordinal_check CHECK ((ordinal >= 0)) );
CREATE TABLE rag_communitysentence ( id bigint NOT NULL, ordinal integer NOT NULL, text text NOT NULL, start integer NOT NULL, "end" integer NOT NULL, quote text NOT NULL, community_id bigint NOT NULL, document_id bigint NOT NULL, CONSTRAINT rag_communitysentence_end_check CHECK (("end" >= 0)), CONSTRAINT rag_communitysentence_ordinal_check CHECK ((ordinal >= 0)), CONSTRAINT rag_communitysentence_start_check CHECK ((start >= 0)) );
ALTER TABLE rag_communitysentence ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY ( SEQUENCE NAME rag_communitysentence_id_seq );
CREATE TABLE rag_conversation ( id uuid NOT NULL, session_key character varying(40) NOT NULL, title character varying(200) NOT NULL, created timestamp with time zone NOT NULL, modified timestamp with time zone NOT NULL, owner_id integer, answering uuid, assistant_id bigint, shared timestamp with time zone );
CREATE TABLE rag_evaluationdataset ( id bigint NOT NULL, name character varying(100) NOT NULL, description text NOT NULL, created timestamp with time zone NOT NULL, modified timestamp with time zone NOT NULL, collection_id integer );
ALTER TABLE rag_evaluationdataset ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY ( SEQUENCE NAME rag_evaluationdataset_id_seq );
CREATE TABLE rag_evaluationquestion ( id bigint NOT NULL, external_id character varying(200) NOT NULL, text text NOT NULL, answerable boolean NOT NULL, expected_answer text NOT NULL, expected_answer_contains text[] NOT NULL, dataset_id bigint NOT NULL );
ALTER TABLE rag_evaluationquestion ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY ( SEQUENCE NAME rag_evaluationquestion_id_seq );
CREATE TABLE rag_evaluationrun ( id bigint NOT NULL, dataset character varying(100) NOT NULL, kind character varying(10) NOT NULL, preset character varying(40) NOT NULL, options jsonb NOT NULL, metrics jsonb NOT NULL, scores jsonb NOT NULL, latency jsonb NOT NULL, questions integer NOT NULL, version character varying(100) NOT NULL, created timestamp with time zone NOT NULL, CONSTRAINT rag_evaluationrun_questions_check CHECK ((questions >= 0)) );
ALTER TABLE rag_evaluationrun ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY ( SEQUENCE NAME rag_evaluationrun_id_seq );
CREATE TABLE rag_exchange ( id uuid NOT NULL, question text NOT NULL, answer text NOT NULL, outcome character varying(16) NOT NULL, language character varying(8) NOT NULL, confidence double precision NOT NULL, synthesizer character varying(40) NOT NULL, model character varying(100) NOT NULL, prompt_hash character varying(80) NOT NULL, uncited_claims jsonb NOT NULL, notices jsonb NOT NULL, corrections jsonb NOT NULL, metrics jsonb NOT NULL, trace_id character varying(64) NOT NULL, created timestamp with time zone NOT NULL, conversation_id uuid NOT NULL, quality character varying(6) NOT NULL, searched text NOT NULL, steps jsonb NOT NULL, verification jsonb NOT NULL, documents bigint[] NOT NULL, definitions jsonb NOT NULL, related jsonb NOT NULL, topics jsonb NOT NULL );
CREATE TABLE rag_exchange_collections ( id bigint NOT NULL, exchange_id uuid NOT NULL, collection_id integer NOT NULL );
ALTER TABLE rag_exchange_collections ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY ( SEQUENCE NAME rag_exchange_collections_id_seq );
CREATE TABLE rag_exchangecitation ( id bigint NOT NULL, number smallint NOT NULL, chunk_id integer NOT NULL, title character varying(500) NOT NULL, uri character varying(2000) NOT NULL, quote text NOT NULL, start integer NOT NULL, "end" integer NOT NULL, line_start integer NOT NULL, line_end integer NOT NULL, page_start integer, page_end integer, heading_path text[] NOT NULL, score double precision NOT NULL, document_id bigint, exchange_id uuid NOT NULL, origin character varying(8) NOT NULL, found jsonb NOT NULL, CONSTRAINT rag_exchangecitation_end_check CHECK (("end" >= 0)), CONSTRAINT rag_exchangecitation_line_end_check CHECK ((line_end >= 0)), CONSTRAINT rag_exchangecitation_line_start_check CHECK ((line_start >= 0)), CONSTRAINT rag_exchangecitation_number_check CHECK ((number >= 0)), CONSTRAINT rag_exchangecitation_page_end_check CHECK ((page_end >= 0)), CONSTRAINT rag_exchangecitation_page_start_check CHECK ((page_start >= 0)), CONSTRAINT rag_exchangecitation_start_check CHECK ((start >= 0)) );
ALTER TABLE rag_exchangecitation ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY ( SEQUENCE NAME rag_exchangecitation_id_seq );
CREATE TABLE rag_feedback ( id bigint NOT NULL, session_key character varying(40) NOT NULL, verdict character varying(4) NOT NULL, comment text NOT NULL, created timestamp with time zone NOT NULL, modified timestamp with time zone NOT NULL, exchange_id uuid NOT NULL, user_id integer );
ALTER TABLE rag_feedback ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY ( SEQUENCE NAME rag_feedback_id_seq );
CREATE TABLE rag_judgement ( id bigint NOT NULL, document character varying(2000) NOT NULL, grade smallint NOT NULL, question_id bigint NOT NULL, CONSTRAINT grade_above_zero CHECK ((grade > 0)), CONSTRAINT rag_judgement_grade_check CHECK ((grade >= 0)) );
ALTER TABLE rag_judgement ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY ( SEQUENCE NAME rag_judgement_id_seq );
CREATE TABLE rag_knowledgegap ( id bigint NOT NULL, status character varying(10) NOT NULL, task text NOT NULL, note text NOT NULL, answered timestamp with time zone, reopened timestamp with time zone, created timestamp with time zone NOT NULL, modified timestamp with time zone NOT NULL, assignee_id integer );
CREATE TABLE rag_knowledgegap_exchanges ( id bigint NOT NULL, knowledgegap_id bigint NOT NULL, exchange_id uuid NOT NULL );
ALTER TABLE rag_knowledgegap_exchanges ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY ( SEQUENCE NAME rag_knowledgegap_exchanges_id_seq );
ALTER TABLE rag_knowledgegap ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY ( SEQUENCE NAME rag_knowledgegap_id_seq );
CREATE TABLE rag_measuredquestion ( id bigint NOT NULL, key character varying(64) NOT NULL, result jsonb NOT NULL, measurement_id bigint NOT NULL );
ALTER TABLE rag_measuredquestion ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY ( SEQUENCE NAME rag_measuredquestion_id_seq );
CREATE TABLE rag_measurement ( id bigint NOT NULL, kind character varying(10) NOT NULL, preset character varying(40) NOT NULL, "limit" integer NOT NULL, created timestamp with time zone NOT NULL, dataset_id bigint NOT NULL, job_id uuid NOT NULL, run_id bigint, user_id integer, CONSTRAINT rag_measurement_limit_check CHECK (("limit" >= 0)) );
ALTER TABLE rag_measurement ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY ( SEQUENCE NAME rag_measurement_id_seq );
INSERT INTO auth_group (id, name) VALUES (1, 'Kadry');
INSERT INTO auth_user (id, password, last_login, is_superuser, username, first_name, last_name, email, is_staff, is_active, date_joined) VALUES (1, '', NULL, false, 'kadrowa', '', '', '', false, true, '2026-11-22 18:00:00+00');
INSERT INTO auth_user_groups (id, user_id, group_id) VALUES (1, 1, 1);
INSERT INTO django_migrations (id, app, name, applied) VALUES (1, 'contenttypes', '0001_initial', '2026-11-22 18:00:00+00'),
(2, 'auth', '0001_initial', '2026-11-22 18:00:00+00'),
(3, 'admin', '0001_initial', '2026-11-22 18:00:00+00'),
(4, 'admin', '0002_logentry_remove_auto_add', '2026-11-22 18:00:00+00'),
(5, 'admin', '0003_logentry_add_action_flag_choices', '2026-11-22 18:00:00+00'),
(6, 'contenttypes', '0002_remove_content_type_name', '2026-11-22 18:00:00+00'),
(7, 'auth', '0002_alter_permission_name_max_length', '2026-11-22 18:00:00+00'),
(8, 'auth', '0003_alter_user_email_max_length', '2026-11-22 18:00:00+00'),
(9, 'auth', '0004_alter_user_username_opts', '2026-11-22 18:00:00+00'),
(10, 'auth', '0005_alter_user_last_login_null', '2026-11-22 18:00:00+00'),
(11, 'auth', '0006_require_contenttypes_0002', '2026-11-22 18:00:00+00'),
(12, 'auth', '0007_alter_validators_add_error_messages', '2026-11-22 18:00:00+00'),
(13, 'auth', '0008_alter_user_username_max_length', '2026-11-22 18:00:00+00'),
(14, 'auth', '0009_alter_user_last_name_max_length', '2026-11-22 18:00:00+00'),
(15, 'auth', '0010_alter_group_name_max_length', '2026-11-22 18:00:00+00'),
(16, 'auth', '0011_update_proxy_permissions', '2026-11-22 18:00:00+00'),
(17, 'auth', '0012_alter_user_first_name_max_length', '2026-11-22 18:00:00+00'),
(18, 'django_q', '0001_initial', '2026-11-22 18:00:00+00'),
(19, 'django_q', '0002_auto_20150630_1624', '2026-11-22 18:00:00+00'),
(20, 'django_q', '0003_auto_20150708_1326', '2026-11-22 18:00:00+00'),
(21, 'django_q', '0004_auto_20150710_1043', '2026-11-22 18:00:00+00'),
(22, 'django_q', '0005_auto_20150718_1506', '2026-11-22 18:00:00+00'),
(23, 'django_q', '0006_auto_20150805_1817', '2026-11-22 18:00:00+00'),
(24, 'django_q', '0007_ormq', '2026-11-22 18:00:00+00'),
(25, 'django_q', '0008_auto_20160224_1026', '2026-11-22 18:00:00+00'),
(26, 'django_q', '0009_auto_20171009_0915', '2026-11-22 18:00:00+00'),
(27, 'django_q', '0010_auto_20200610_0856', '2026-11-22 18:00:00+00'),
(28, 'django_q', '0011_auto_20200628_1055', '2026-11-22 18:00:00+00'),
(29, 'django_q', '0012_auto_20200702_1608', '2026-11-22 18:00:00+00'),
(30, 'django_q', '0013_task_attempt_count', '2026-11-22 18:00:00+00'),
(31, 'django_q', '0014_schedule_cluster', '2026-11-22 18:00:00+00'),
(32, 'django_q', '0015_alter_schedule_schedule_type', '2026-11-22 18:00:00+00'),
(33, 'django_q', '0016_schedule_intended_date_kwarg', '2026-11-22 18:00:00+00'),
(34, 'django_q', '0017_task_cluster_alter', '2026-11-22 18:00:00+00'),
(35, 'django_q', '0018_task_success_index', '2026-11-22 18:00:00+00'),
(36, 'django_q', '0019_alter_task_options_alter_ormq_key_alter_ormq_lock_and_more', '2026-11-22 18:00:00+00'),
(37, 'ingestion', '0001_initial', '2026-11-22 18:00:00+00'),
(38, 'ingestion', '0002_index', '2026-11-22 18:00:00+00'),
(39, 'ingestion', '0003_recovery_schedule', '2026-11-22 18:00:00+00'),
(40, 'ingestion', '0004_expansion', '2026-11-22 18:00:00+00'),
(41, 'ingestion', '0005_maintenance_schedule', '2026-11-22 18:00:00+00'),
(42, 'ingestion', '0006_parts_of_chunks', '2026-11-22 18:00:00+00'),
(43, 'ingestion', '0007_reembedding', '2026-11-22 18:00:00+00'),
(44, 'ingestion', '0008_embedding_cache', '2026-11-22 18:00:00+00'),
(45, 'ingestion', '0009_graph', '2026-11-22 18:00:00+00'),
(46, 'ingestion', '0010_lemmas_of_terms', '2026-11-22 18:00:00+00'),
(47, 'ingestion', '0011_knowledge_version', '2026-11-22 18:00:00+00'),
(48, 'ingestion', '0012_sources', '2026-11-22 18:00:00+00'),
(49, 'ingestion', '0013_job_control', '2026-11-22 18:00:00+00'),
(50, 'ingestion', '0014_duplicates_versions_personal', '2026-11-22 18:00:00+00'),
(51, 'ingestion', '0015_job_attempts', '2026-11-22 18:00:00+00'),
(52, 'ingestion', '0016_rechunking', '2026-11-22 18:00:00+00'),
(53, 'ingestion', '0017_measurement_jobs', '2026-11-22 18:00:00+00'),
(54, 'ingestion', '0018_forward_index', '2026-11-22 18:00:00+00'),
(55, 'ingestion', '0019_community_jobs', '2026-11-22 18:00:00+00'),
(56, 'ingestion', '0020_packed_postings', '2026-11-22 18:00:00+00'),
(57, 'ingestion', '0021_names_version', '2026-11-22 18:00:00+00'),
(58, 'ingestion', '0022_given_and_edited', '2026-11-22 18:00:00+00'),
(59, 'knowledgetree', '0001_allowances', '2026-11-22 18:00:00+00'),
(60, 'rag', '0001_initial', '2026-11-22 18:00:00+00'),
(61, 'rag', '0002_evaluation', '2026-11-22 18:00:00+00'),
(62, 'rag', '0003_assistants', '2026-11-22 18:00:00+00'),
(63, 'rag', '0004_trustworthy_answers', '2026-11-22 18:00:00+00'),
(64, 'rag', '0005_cached_answers', '2026-11-22 18:00:00+00'),
(65, 'rag', '0006_erasure', '2026-11-22 18:00:00+00'),
(66, 'rag', '0007_analytics', '2026-11-22 18:00:00+00'),
(67, 'rag', '0008_feedback_sharing_assistants', '2026-11-22 18:00:00+00'),
(68, 'rag', '0009_knowledge_gaps', '2026-11-22 18:00:00+00'),
(69, 'rag', '0010_related_documents', '2026-11-22 18:00:00+00'),
(70, 'rag', '0011_topics_and_reasons', '2026-11-22 18:00:00+00'),
(71, 'rag', '0012_measurements', '2026-11-22 18:00:00+00'),
(72, 'rag', '0013_communities', '2026-11-22 18:00:00+00'),
(73, 'rag', '0014_measured_questions', '2026-11-22 18:00:00+00'),
(74, 'sessions', '0001_initial', '2026-11-22 18:00:00+00');
INSERT INTO django_q_schedule (id, func, hook, args, kwargs, schedule_type, repeats, next_run, task, name, minutes, cron, cluster, intended_date_kwarg) VALUES (1, 'ingestion.jobs.recover_jobs', NULL, NULL, NULL, 'I', -1, '2026-11-22 18:00:00+00', NULL, 'knowledgetree: recover jobs', 1, NULL, NULL, NULL),
(2, 'ingestion.jobs.maintain_index', NULL, NULL, NULL, 'D', -1, '2026-11-22 18:00:00+00', NULL, 'knowledgetree: maintain index', NULL, NULL, NULL, NULL),
(3, 'ingestion.jobs.pack_postings', NULL, NULL, NULL, 'I', -1, '2026-11-22 18:00:00+00', NULL, 'knowledgetree: pack postings', 10, NULL, NULL, NULL),
(4, 'rag.services.maintenance.forget_old_answers', NULL, NULL, NULL, 'D', -1, '2026-11-22 18:00:00+00', NULL, 'knowledgetree: forget old answers', NULL, NULL, NULL, NULL),
(5, 'rag.analytics.intake.gather_gaps', NULL, NULL, NULL, 'D', -1, '2026-11-22 18:00:00+00', NULL, 'knowledgetree: gather knowledge gaps', NULL, NULL, NULL, NULL),
(6, 'rag.communities.job.refresh_communities', NULL, NULL, NULL, 'D', -1, '2026-11-22 18:00:00+00', NULL, 'knowledgetree: refresh groups of documents', NULL, NULL, NULL, NULL),
(7, 'ingestion.jobs.start_scheduled_sync', NULL, '1', NULL, 'D', -1, '2026-11-23 02:07:00+00', NULL, 'knowledgetree: synchronise source 1', NULL, NULL, NULL, NULL);
INSERT INTO ingestion_chunk (id, ordinal, kind, text, start, "end", line_start, line_end, page_start, page_end, heading_path, context_before, context_after, enabled, retrieval_quality, last_quality_check, collection_id, document_id, extraction_id, original_text) VALUES (1, 0, 'text', 'Urlop wypoczynkowy trwa 26 dni.', 0, 31, 1, 1, NULL, NULL, '{}', '', '', true, '', NULL, 1, 1, 1, '');
INSERT INTO ingestion_collection (id, name, slug, description, visibility, preset, lemma_weight, form_weight, created, mask_personal_data, chunking) VALUES (1, 'Kadry', 'kadry', '', 'restricted', '', 1, 0.3, '2026-11-22 18:00:00+00', false, '{}');
INSERT INTO ingestion_collection_groups (id, collection_id, group_id) VALUES (1, 1, 1);
INSERT INTO ingestion_document (id, title, uri, file, file_name, media_type, checksum, size, language, category, tags, version, valid_from, valid_to, metadata, status, error_code, error_message, warnings, chunk_count, created, modified, indexed, collection_id, source_id, edited, chunking, names_version, given) VALUES (1, 'Urlopy', 'urlopy.txt', '', 'urlopy.txt', 'text/plain', '', 0, 'pl', '', '{}', '', NULL, NULL, '{}', 'ready', '', '', '[]', 1, '2026-11-22 18:00:00+00', '2026-11-22 18:00:00+00', NULL, 1, NULL, '{}', '{}', 0, '{"title": ""}');
INSERT INTO ingestion_extraction (id, extractor, text, page_starts, created, document_id, checksum) VALUES (1, 'plain_text', 'Urlop wypoczynkowy trwa 26 dni.', '{}', '2026-11-22 18:00:00+00', 1, '');
INSERT INTO ingestion_knowledgechange (id, collection_id, weight) VALUES (1, 1, 2710893358),
(2, 1, 1771625740),
(3, 1, 2460294480),
(4, 1, 3917684465),
(5, 1, 3575192314),
(6, 1, 1147375226),
(7, 1, 2153130410),
(8, 1, 1577280580);
INSERT INTO ingestion_source (id, kind, name, location, options, schedule, last_synced, last_result, collection_id, owner_id, category, delay, exclude, gone_policy, include, language, max_depth, max_pages, obey_robots, rhythm, tags) VALUES (1, 'folder', 'Regulaminy', '/srv/regulaminy', '{}', '', NULL, '{}', 1, NULL, '', 1, '{}', 'confirm', '{}', 'pl', 5, 500, true, 'daily', '{}');
INSERT INTO ingestion_synonym (id, text, "position", group_id, phrase) VALUES (1, 'wakacje', 0, 1, 'wakacje');
INSERT INTO ingestion_synonymgroup (id, name, direction, weight, enabled, collection_id, source) VALUES (1, 'urlop', 'two_way', 0.5, true, 1, 'synonym');
INSERT INTO rag_cachedanswer (id, key, wording, exact, question, answer, documents, created) VALUES (1, 'k', 'w', 'e', 'Ile trwa urlop?', '{}', '{1}', '2026-11-22 18:00:00+00');
INSERT INTO rag_conversation (id, session_key, title, created, modified, owner_id, answering, assistant_id, shared) VALUES ('fd0c3f90-eb03-4f7b-8488-3e5ff552aaa8', '', 'Urlop', '2026-11-22 18:00:00+00', '2026-11-22 18:00:00+00', 1, NULL, NULL, NULL);
INSERT INTO rag_exchange (id, question, answer, outcome, language, confidence, synthesizer, model, prompt_hash, uncited_claims, notices, corrections, metrics, trace_id, created, conversation_id, quality, searched, steps, verification, documents, definitions, related, topics) VALUES ('7aa45ffe-5787-4082-8203-78bce217afd8', 'Ile trwa urlop?', '26 dni [1].', 'answered', 'pl', 0, '', '', '', '[]', '[]', '[]', '{}', '', '2026-11-22 18:00:00+00', 'fd0c3f90-eb03-4f7b-8488-3e5ff552aaa8', '', '', '[]', '{}', '{1}', '[]', '[]', '[]');
INSERT INTO rag_exchange_collections (id, exchange_id, collection_id) VALUES (1, '7aa45ffe-5787-4082-8203-78bce217afd8', 1);
INSERT INTO rag_exchangecitation (id, number, chunk_id, title, uri, quote, start, "end", line_start, line_end, page_start, page_end, heading_path, score, document_id, exchange_id, origin, found) VALUES (1, 1, 1, 'Urlopy', 'urlopy.txt', 'Urlop wypoczynkowy trwa 26 dni.', 0, 31, 1, 1, NULL, NULL, '{}', 0, 1, '7aa45ffe-5787-4082-8203-78bce217afd8', 'document', '{}');
SELECT setval('auth_group_id_seq', 1, true);
SELECT setval('auth_permission_id_seq', 217, true);
SELECT setval('auth_user_groups_id_seq', 1, true);
SELECT setval('auth_user_id_seq', 1, true);
SELECT setval('django_content_type_id_seq', 60, true);
SELECT setval('django_migrations_id_seq', 74, true);
SELECT setval('django_q_schedule_id_seq', 7, true);
SELECT setval('ingestion_chunk_id_seq', 1, true);
SELECT setval('ingestion_collection_groups_id_seq', 1, true);
SELECT setval('ingestion_collection_id_seq', 1, true);
SELECT setval('ingestion_document_id_seq', 1, true);
SELECT setval('ingestion_extraction_id_seq', 1, true);
SELECT setval('ingestion_knowledgechange_id_seq', 8, true);
SELECT setval('ingestion_source_id_seq', 1, true);
SELECT setval('ingestion_synonym_id_seq', 1, true);
SELECT setval('ingestion_synonymgroup_id_seq', 1, true);
SELECT setval('rag_cachedanswer_id_seq', 1, true);
SELECT setval('rag_exchange_collections_id_seq', 1, true);
SELECT setval('rag_exchangecitation_id_seq', 1, true);
ALTER TABLE auth_group ADD CONSTRAINT auth_group_name_key UNIQUE (name);
ALTER TABLE auth_group_permissions ADD CONSTRAINT auth_group_permissions_group_id_permission_id_0cd325b0_uniq UNIQUE (group_id, permission_id);
ALTER TABLE auth_group_permissions ADD CONSTRAINT auth_group_permissions_pkey PRIMARY KEY (id);
ALTER TABLE auth_group ADD CONSTRAINT auth_group_pkey PRIMARY KEY (id);
ALTER TABLE auth_permission ADD CONSTRAINT auth_permission_content_type_id_codename_01ab375a_uniq UNIQUE (content_type_id, codename);
ALTER TABLE auth_permission ADD CONSTRAINT auth_permission_pkey PRIMARY KEY (id);
ALTER TABLE auth_user_groups ADD CONSTRAINT auth_user_groups_pkey PRIMARY KEY (id);
ALTER TABLE auth_user_groups ADD CONSTRAINT auth_user_groups_user_id_group_id_94350c0c_uniq UNIQUE (user_id, group_id);
ALTER TABLE auth_user ADD CONSTRAINT auth_user_pkey PRIMARY KEY (id);
ALTER TABLE auth_user_user_permissions ADD CONSTRAINT auth_user_user_permissions_pkey PRIMARY KEY (id);
ALTER TABLE auth_user_user_permissions ADD CONSTRAINT auth_user_user_permissions_user_id_permission_id_14a6b632_uniq UNIQUE (user_id, permission_id);
ALTER TABLE auth_user ADD CONSTRAINT auth_user_username_key UNIQUE (username);
ALTER TABLE django_admin_log ADD CONSTRAINT django_admin_log_pkey PRIMARY KEY (id);
ALTER TABLE django_content_type ADD CONSTRAINT django_content_type_app_label_model_76bd3d3b_uniq UNIQUE (app_label, model);
ALTER TABLE django_content_type ADD CONSTRAINT django_content_type_pkey PRIMARY KEY (id);
ALTER TABLE django_migrations ADD CONSTRAINT django_migrations_pkey PRIMARY KEY (id);
ALTER TABLE django_q_ormq ADD CONSTRAINT django_q_ormq_pkey PRIMARY KEY (id);
ALTER TABLE django_q_schedule ADD CONSTRAINT django_q_schedule_pkey PRIMARY KEY (id);
ALTER TABLE django_q_task ADD CONSTRAINT django_q_task_pkey PRIMARY KEY (id);
ALTER TABLE django_session ADD CONSTRAINT django_session_pkey PRIMARY KEY (session_key);
ALTER TABLE ingestion_chunk ADD CONSTRAINT ingestion_chunk_pkey PRIMARY KEY (id);
ALTER TABLE ingestion_chunkembedding ADD CONSTRAINT ingestion_chunkembedding_pkey PRIMARY KEY (id);
ALTER TABLE ingestion_chunksketch ADD CONSTRAINT ingestion_chunksketch_pkey PRIMARY KEY (chunk_id);
ALTER TABLE ingestion_chunkwords ADD CONSTRAINT ingestion_chunkwords_pkey PRIMARY KEY (chunk_id);
ALTER TABLE ingestion_collection_groups ADD CONSTRAINT ingestion_collection_gro_collection_id_group_id_1c73998f_uniq UNIQUE (collection_id, group_id);
ALTER TABLE ingestion_collection_groups ADD CONSTRAINT ingestion_collection_groups_pkey PRIMARY KEY (id);
ALTER TABLE ingestion_collection ADD CONSTRAINT ingestion_collection_pkey PRIMARY KEY (id);
ALTER TABLE ingestion_collection ADD CONSTRAINT ingestion_collection_slug_key UNIQUE (slug);
ALTER TABLE ingestion_collectionstatistics ADD CONSTRAINT ingestion_collectionstatistics_pkey PRIMARY KEY (collection_id);
ALTER TABLE ingestion_document ADD CONSTRAINT ingestion_document_pkey PRIMARY KEY (id);
ALTER TABLE ingestion_documentsketch ADD CONSTRAINT ingestion_documentsketch_pkey PRIMARY KEY (document_id);
ALTER TABLE ingestion_documentversion ADD CONSTRAINT ingestion_documentversion_pkey PRIMARY KEY (id);
ALTER TABLE ingestion_embeddingcacheentry ADD CONSTRAINT ingestion_embeddingcacheentry_pkey PRIMARY KEY (space_id, text_hash);
ALTER TABLE ingestion_embeddingspace ADD CONSTRAINT ingestion_embeddingspace_name_key UNIQUE (name);
ALTER TABLE ingestion_embeddingspace ADD CONSTRAINT ingestion_embeddingspace_pkey PRIMARY KEY (id);
ALTER TABLE ingestion_entity ADD CONSTRAINT ingestion_entity_pkey PRIMARY KEY (id);
ALTER TABLE ingestion_entitymention ADD CONSTRAINT ingestion_entitymention_pkey PRIMARY KEY (entity_id, chunk_id) INCLUDE (count);
ALTER TABLE ingestion_erasure ADD CONSTRAINT ingestion_erasure_pkey PRIMARY KEY (id);
ALTER TABLE ingestion_extraction ADD CONSTRAINT ingestion_extraction_pkey PRIMARY KEY (id);
ALTER TABLE ingestion_glossaryentry ADD CONSTRAINT ingestion_glossaryentry_pkey PRIMARY KEY (id);
ALTER TABLE ingestion_job ADD CONSTRAINT ingestion_job_pkey PRIMARY KEY (id);
ALTER TABLE ingestion_jobattempt ADD CONSTRAINT ingestion_jobattempt_pkey PRIMARY KEY (id);
ALTER TABLE ingestion_knowledgechange ADD CONSTRAINT ingestion_knowledgechange_pkey PRIMARY KEY (id);
ALTER TABLE ingestion_personaldata ADD CONSTRAINT ingestion_personaldata_pkey PRIMARY KEY (id);
ALTER TABLE ingestion_posting ADD CONSTRAINT ingestion_posting_pkey PRIMARY KEY (term_id, collection_id, chunk_id) INCLUDE (lemma_count, form_count, length);
ALTER TABLE ingestion_postinglist ADD CONSTRAINT ingestion_postinglist_pkey PRIMARY KEY (term_id, collection_id, packed_to);
ALTER TABLE ingestion_rechunkedcollection ADD CONSTRAINT ingestion_rechunkedcollection_pkey PRIMARY KEY (id);
ALTER TABLE ingestion_rechunking ADD CONSTRAINT ingestion_rechunking_pkey PRIMARY KEY (id);
ALTER TABLE ingestion_similardocument ADD CONSTRAINT ingestion_similardocument_pkey PRIMARY KEY (id);
ALTER TABLE ingestion_source ADD CONSTRAINT ingestion_source_pkey PRIMARY KEY (id);
ALTER TABLE ingestion_sourceaddress ADD CONSTRAINT ingestion_sourceaddress_pkey PRIMARY KEY (id);
ALTER TABLE ingestion_syncreport ADD CONSTRAINT ingestion_syncreport_job_id_key UNIQUE (job_id);
ALTER TABLE ingestion_syncreport ADD CONSTRAINT ingestion_syncreport_pkey PRIMARY KEY (id);
ALTER TABLE ingestion_synonym ADD CONSTRAINT ingestion_synonym_pkey PRIMARY KEY (id);
ALTER TABLE ingestion_synonymgroup ADD CONSTRAINT ingestion_synonymgroup_pkey PRIMARY KEY (id);
ALTER TABLE ingestion_term ADD CONSTRAINT ingestion_term_pkey PRIMARY KEY (id);
ALTER TABLE ingestion_term ADD CONSTRAINT ingestion_term_text_key UNIQUE (text);
ALTER TABLE ingestion_termstatistics ADD CONSTRAINT ingestion_termstatistics_pkey PRIMARY KEY (term_id, collection_id);
ALTER TABLE knowledgetree_allowance ADD CONSTRAINT knowledgetree_allowance_pkey PRIMARY KEY (key);
ALTER TABLE rag_measuredquestion ADD CONSTRAINT measured_once UNIQUE (measurement_id, key);
ALTER TABLE ingestion_sourceaddress ADD CONSTRAINT one_address_a_source UNIQUE (source_id, uri);
ALTER TABLE rag_cachedanswer ADD CONSTRAINT one_answer_a_question UNIQUE (key, wording, exact);
ALTER TABLE ingestion_chunk ADD CONSTRAINT one_chunk_an_ordinal UNIQUE (extraction_id, ordinal);
ALTER TABLE rag_exchangecitation ADD CONSTRAINT one_citation_a_number UNIQUE (exchange_id, number);
ALTER TABLE ingestion_document ADD CONSTRAINT one_document_a_uri UNIQUE (collection_id, uri);
ALTER TABLE ingestion_entity ADD CONSTRAINT one_entity_a_key UNIQUE (key, collection_id);
ALTER TABLE ingestion_glossaryentry ADD CONSTRAINT one_entry_a_term UNIQUE NULLS NOT DISTINCT (collection_id, term);
ALTER TABLE rag_judgement ADD CONSTRAINT one_judgement_a_document UNIQUE (question_id, document);
ALTER TABLE ingestion_rechunkedcollection ADD CONSTRAINT one_part_a_collection UNIQUE (rechunking_id, collection_id);
ALTER TABLE rag_evaluationquestion ADD CONSTRAINT one_question_an_identifier UNIQUE (dataset_id, external_id);
ALTER TABLE ingestion_similardocument ADD CONSTRAINT one_similarity_a_pair UNIQUE (document_id, other_id);
ALTER TABLE ingestion_source ADD CONSTRAINT one_source_a_location UNIQUE (collection_id, kind, location);
ALTER TABLE ingestion_synonym ADD CONSTRAINT one_synonym_a_group UNIQUE (group_id, text);
ALTER TABLE ingestion_extraction ADD CONSTRAINT one_text_an_extractor UNIQUE (document_id, extractor);
ALTER TABLE ingestion_chunkembedding ADD CONSTRAINT one_vector_a_space UNIQUE (space_id, chunk_id, part);
ALTER TABLE ingestion_documentversion ADD CONSTRAINT one_version_a_number UNIQUE (document_id, number);
ALTER TABLE rag_assistant_collections ADD CONSTRAINT rag_assistant_collection_assistant_id_collection__28afc87c_uniq UNIQUE (assistant_id, collection_id);
ALTER TABLE rag_assistant_collections ADD CONSTRAINT rag_assistant_collections_pkey PRIMARY KEY (id);
ALTER TABLE rag_assistant ADD CONSTRAINT rag_assistant_pkey PRIMARY KEY (id);
ALTER TABLE rag_assistant ADD CONSTRAINT rag_assistant_slug_key UNIQUE (slug);
ALTER TABLE rag_cachedanswer ADD CONSTRAINT rag_cachedanswer_pkey PRIMARY KEY (id);
ALTER TABLE rag_community ADD CONSTRAINT rag_community_pkey PRIMARY KEY (id);
ALTER TABLE rag_communitydocument ADD CONSTRAINT rag_communitydocument_pkey PRIMARY KEY (document_id);
ALTER TABLE rag_communitysentence ADD CONSTRAINT rag_communitysentence_pkey PRIMARY KEY (id);
ALTER TABLE rag_conversation ADD CONSTRAINT rag_conversation_pkey PRIMARY KEY (id);
ALTER TABLE rag_evaluationdataset ADD CONSTRAINT rag_evaluationdataset_name_key UNIQUE (name);
ALTER TABLE rag_evaluationdataset ADD CONSTRAINT rag_evaluationdataset_pkey PRIMARY KEY (id);
ALTER TABLE rag_evaluationquestion ADD CONSTRAINT rag_evaluationquestion_pkey PRIMARY KEY (id);
ALTER TABLE rag_evaluationrun ADD CONSTRAINT rag_evaluationrun_pkey PRIMARY KEY (id);
ALTER TABLE rag_exchange_collections ADD CONSTRAINT rag_exchange_collections_exchange_id_collection_i_3e55e300_uniq UNIQUE (exchange_id, collection_id);
ALTER TABLE rag_exchange_collections ADD CONSTRAINT rag_exchange_collections_pkey PRIMARY KEY (id);
ALTER TABLE rag_exchange ADD CONSTRAINT rag_exchange_pkey PRIMARY KEY (id);
ALTER TABLE rag_exchangecitation ADD CONSTRAINT rag_exchangecitation_pkey PRIMARY KEY (id);
ALTER TABLE rag_feedback ADD CONSTRAINT rag_feedback_pkey PRIMARY KEY (id);
ALTER TABLE rag_judgement ADD CONSTRAINT rag_judgement_pkey PRIMARY KEY (id);
ALTER TABLE rag_knowledgegap_exchanges ADD CONSTRAINT rag_knowledgegap_exchang_knowledgegap_id_exchange_2a43bef3_uniq UNIQUE (knowledgegap_id, exchange_id);
ALTER TABLE rag_knowledgegap_exchanges ADD CONSTRAINT rag_knowledgegap_exchanges_pkey PRIMARY KEY (id);
ALTER TABLE rag_knowledgegap ADD CONSTRAINT rag_knowledgegap_pkey PRIMARY KEY (id);
ALTER TABLE rag_measuredquestion ADD CONSTRAINT rag_measuredquestion_pkey PRIMARY KEY (id);
ALTER TABLE rag_measurement ADD CONSTRAINT rag_measurement_job_id_key UNIQUE (job_id);
ALTER TABLE rag_measurement ADD CONSTRAINT rag_measurement_pkey PRIMARY KEY (id);
ALTER TABLE rag_measurement ADD CONSTRAINT rag_measurement_run_id_key UNIQUE (run_id);
CREATE INDEX auth_group_name_a6ea08ec_like ON auth_group (name varchar_pattern_ops);
CREATE INDEX auth_group_permissions_group_id_b120cbf9 ON auth_group_permissions (group_id);
CREATE INDEX auth_group_permissions_permission_id_84c5c92e ON auth_group_permissions (permission_id);
CREATE INDEX auth_permission_content_type_id_2f476e4b ON auth_permission (content_type_id);
CREATE INDEX auth_user_groups_group_id_97559544 ON auth_user_groups (group_id);
CREATE INDEX auth_user_groups_user_id_6a12ed8b ON auth_user_groups (user_id);
CREATE INDEX auth_user_user_permissions_permission_id_1fbb5f2c ON auth_user_user_permissions (permission_id);
CREATE INDEX auth_user_user_permissions_user_id_a95ead1b ON auth_user_user_permissions (user_id);
CREATE INDEX auth_user_username_6821ab7c_like ON auth_user (username varchar_pattern_ops);
CREATE INDEX cached_answer_documents ON rag_cachedanswer USING gin (documents) WITH (fastupdate=off);
CREATE INDEX change_by_collection ON ingestion_knowledgechange (collection_id) INCLUDE (weight);
CREATE INDEX chunk_bands ON ingestion_chunksketch USING gin (bands);
CREATE INDEX django_admin_log_content_type_id_c4bce8eb ON django_admin_log (content_type_id);
CREATE INDEX django_admin_log_user_id_c564eba6 ON django_admin_log (user_id);
CREATE INDEX django_q_task_id_32882367_like ON django_q_task (id varchar_pattern_ops);
CREATE INDEX django_session_expire_date_a5c62663 ON django_session (expire_date);
CREATE INDEX django_session_session_key_c0390e0f_like ON django_session (session_key varchar_pattern_ops);
CREATE INDEX document_bands ON ingestion_documentsketch USING gin (bands);
CREATE INDEX document_metadata ON ingestion_document USING gin (metadata jsonb_path_ops);
CREATE INDEX document_tags ON ingestion_document USING gin (tags);
CREATE INDEX exchange_created ON rag_exchange (created);
CREATE INDEX exchange_documents ON rag_exchange USING gin (documents) WITH (fastupdate=off);
CREATE INDEX glossary_phrases ON ingestion_glossaryentry USING gin (phrases) WITH (fastupdate=off);
CREATE INDEX ingestion_chunk_collection_id_cd01d086 ON ingestion_chunk (collection_id);
CREATE INDEX ingestion_chunk_document_id_34de3014 ON ingestion_chunk (document_id);
CREATE INDEX ingestion_chunk_extraction_id_aea7443e ON ingestion_chunk (extraction_id);
CREATE INDEX ingestion_chunkembedding_chunk_id_51849405 ON ingestion_chunkembedding (chunk_id);
CREATE INDEX ingestion_collection_groups_collection_id_d57092a9 ON ingestion_collection_groups (collection_id);
CREATE INDEX ingestion_collection_groups_group_id_860815c7 ON ingestion_collection_groups (group_id);
CREATE INDEX ingestion_collection_slug_c9c9cefd_like ON ingestion_collection (slug varchar_pattern_ops);
CREATE INDEX ingestion_d_checksu_4985c3_idx ON ingestion_document (checksum);
CREATE INDEX ingestion_document_collection_id_e583c7a1 ON ingestion_document (collection_id);
CREATE INDEX ingestion_document_source_id_e78a23c0 ON ingestion_document (source_id);
CREATE INDEX ingestion_documentversion_author_id_423102c7 ON ingestion_documentversion (author_id);
CREATE INDEX ingestion_documentversion_checksum_d893590e ON ingestion_documentversion (checksum);
CREATE INDEX ingestion_documentversion_checksum_d893590e_like ON ingestion_documentversion (checksum varchar_pattern_ops);
CREATE INDEX ingestion_documentversion_document_id_483e229d ON ingestion_documentversion (document_id);
CREATE INDEX ingestion_embeddingspace_name_7112d42f_like ON ingestion_embeddingspace (name varchar_pattern_ops);
CREATE INDEX ingestion_erasure_collection_id_39f6d535 ON ingestion_erasure (collection_id);
CREATE INDEX ingestion_erasure_erased_by_id_3488d416 ON ingestion_erasure (erased_by_id);
CREATE INDEX ingestion_extraction_document_id_afcae8a0 ON ingestion_extraction (document_id);
CREATE INDEX ingestion_glossaryentry_collection_id_89769bf1 ON ingestion_glossaryentry (collection_id);
CREATE INDEX ingestion_j_status_cd2c1b_idx ON ingestion_job (status, heartbeat);
CREATE INDEX ingestion_job_collection_id_72dc5d15 ON ingestion_job (collection_id);
CREATE INDEX ingestion_job_document_id_427fccfb ON ingestion_job (document_id);
CREATE INDEX ingestion_job_rechunking_id_db618bc1 ON ingestion_job (rechunking_id);
CREATE INDEX ingestion_job_source_id_8e230d3a ON ingestion_job (source_id);
CREATE INDEX ingestion_job_space_id_3c21f038 ON ingestion_job (space_id);
CREATE INDEX ingestion_jobattempt_job_id_bc358a7a ON ingestion_jobattempt (job_id);
CREATE INDEX ingestion_posting_chunk_id_6ced4510 ON ingestion_posting (chunk_id);
CREATE INDEX ingestion_postinglist_collection_id_66407703 ON ingestion_postinglist (collection_id);
CREATE INDEX ingestion_rechunkedcollection_collection_id_6fa39f61 ON ingestion_rechunkedcollection (collection_id);
CREATE INDEX ingestion_rechunkedcollection_rechunking_id_83e4e999 ON ingestion_rechunkedcollection (rechunking_id);
CREATE INDEX ingestion_s_source__0f3805_idx ON ingestion_sourceaddress (source_id, state);
CREATE INDEX ingestion_similardocument_other_id_0edc9c9b ON ingestion_similardocument (other_id);
CREATE INDEX ingestion_source_collection_id_aec10b0d ON ingestion_source (collection_id);
CREATE INDEX ingestion_source_owner_id_7e764f1b ON ingestion_source (owner_id);
CREATE INDEX ingestion_sourceaddress_document_id_123a35d8 ON ingestion_sourceaddress (document_id);
CREATE INDEX ingestion_sourceaddress_report_id_b74e3e1e ON ingestion_sourceaddress (report_id);
CREATE INDEX ingestion_sourceaddress_source_id_dbb09241 ON ingestion_sourceaddress (source_id);
CREATE INDEX ingestion_syncreport_source_id_acc7f73f ON ingestion_syncreport (source_id);
CREATE INDEX ingestion_synonym_group_id_1e6c6bca ON ingestion_synonym (group_id);
CREATE INDEX ingestion_synonymgroup_collection_id_cdee8a8e ON ingestion_synonymgroup (collection_id);
CREATE INDEX ingestion_term_folded_3a077353 ON ingestion_term (folded);
CREATE INDEX ingestion_term_folded_3a077353_like ON ingestion_term (folded varchar_pattern_ops);
CREATE INDEX ingestion_term_text_ff8d09cc_like ON ingestion_term (text varchar_pattern_ops);
CREATE INDEX ingestion_termstatistics_collection_id_b884723f ON ingestion_termstatistics (collection_id);
CREATE INDEX jobs_that_wait_for_a_turn ON ingestion_job (collection_id, created) WHERE (((stage)::text = 'turn'::text) AND ((status)::text = 'queued'::text));
CREATE INDEX knowledgetree_allowance_key_c3a27d22_like ON knowledgetree_allowance (key varchar_pattern_ops);
CREATE INDEX mention_by_chunk ON ingestion_entitymention (chunk_id, entity_id) INCLUDE (count);
CREATE UNIQUE INDEX one_active_space ON ingestion_embeddingspace (status) WHERE ((status)::text = 'active'::text);
CREATE UNIQUE INDEX one_feedback_a_session ON rag_feedback (exchange_id, session_key) WHERE (user_id IS NULL);
CREATE UNIQUE INDEX one_feedback_a_user ON rag_feedback (exchange_id, user_id) WHERE (user_id IS NOT NULL);
CREATE UNIQUE INDEX one_unfinished_grouping_a_collection ON ingestion_job (collection_id) WHERE (((kind)::text = 'communities'::text) AND ((status)::text = ANY ((ARRAY['queued'::character varying, 'running'::character varying])::text[])));
CREATE UNIQUE INDEX one_unfinished_job_a_rechunking ON ingestion_job (rechunking_id) WHERE (((kind)::text = 'rechunk'::text) AND ((status)::text = ANY ((ARRAY['queued'::character varying, 'running'::character varying])::text[])));
CREATE UNIQUE INDEX one_unfinished_job_a_source ON ingestion_job (source_id) WHERE (((kind)::text = 'sync_source'::text) AND ((status)::text = ANY ((ARRAY['queued'::character varying, 'running'::character varying])::text[])));
CREATE UNIQUE INDEX one_unfinished_job_a_space ON ingestion_job (space_id) WHERE (((kind)::text = 'reembed'::text) AND ((status)::text = ANY ((ARRAY['queued'::character varying, 'running'::character varying])::text[])));
CREATE UNIQUE INDEX one_unfinished_rechunking ON ingestion_rechunking ((1)) WHERE ((status)::text = ANY ((ARRAY['running'::character varying, 'paused'::character varying, 'failed'::character varying])::text[]));
CREATE UNIQUE INDEX one_waiting_job_a_document ON ingestion_job (document_id) WHERE (((kind)::text = 'index_document'::text) AND ((status)::text = 'queued'::text));
CREATE INDEX personal_data_by_document ON ingestion_personaldata (document_id, kind);
CREATE INDEX personal_data_by_place ON ingestion_personaldata (extraction_id, start) INCLUDE ("end");
CREATE INDEX rag_assistant_collections_assistant_id_f0dacbbb ON rag_assistant_collections (assistant_id);
CREATE INDEX rag_assistant_collections_collection_id_2e4a07c7 ON rag_assistant_collections (collection_id);
CREATE INDEX rag_assistant_slug_c750e3e0_like ON rag_assistant (slug varchar_pattern_ops);
CREATE INDEX rag_cachedanswer_created_03f82ba2 ON rag_cachedanswer (created);
CREATE INDEX rag_community_collection_id_af603f06 ON rag_community (collection_id);
CREATE INDEX rag_communitydocument_community_id_976c35c8 ON rag_communitydocument (community_id);
CREATE INDEX rag_communitysentence_community_id_54a4e11e ON rag_communitysentence (community_id);
CREATE INDEX rag_communitysentence_document_id_2042850e ON rag_communitysentence (document_id);
CREATE INDEX rag_conversation_assistant_id_e0da981d ON rag_conversation (assistant_id);
CREATE INDEX rag_conversation_owner_id_180501c3 ON rag_conversation (owner_id);
CREATE INDEX rag_conversation_session_key_f0bebda6 ON rag_conversation (session_key);
CREATE INDEX rag_conversation_session_key_f0bebda6_like ON rag_conversation (session_key varchar_pattern_ops);
CREATE INDEX rag_evaluationdataset_collection_id_d55e4ffe ON rag_evaluationdataset (collection_id);
CREATE INDEX rag_evaluationdataset_name_4f20a427_like ON rag_evaluationdataset (name varchar_pattern_ops);
CREATE INDEX rag_evaluationquestion_dataset_id_756f3af4 ON rag_evaluationquestion (dataset_id);
CREATE INDEX rag_exchange_collections_collection_id_9aaaf4fb ON rag_exchange_collections (collection_id);
CREATE INDEX rag_exchange_collections_exchange_id_f9ddf58a ON rag_exchange_collections (exchange_id);
CREATE INDEX rag_exchange_conversation_id_8598bd2a ON rag_exchange (conversation_id);
CREATE INDEX rag_exchange_quality_23d5b91e ON rag_exchange (quality);
CREATE INDEX rag_exchange_quality_23d5b91e_like ON rag_exchange (quality varchar_pattern_ops);
CREATE INDEX rag_exchange_trace_id_eee4b485 ON rag_exchange (trace_id);
CREATE INDEX rag_exchange_trace_id_eee4b485_like ON rag_exchange (trace_id varchar_pattern_ops);
CREATE INDEX rag_exchangecitation_document_id_d2656b17 ON rag_exchangecitation (document_id);
CREATE INDEX rag_exchangecitation_exchange_id_af493ffe ON rag_exchangecitation (exchange_id);
CREATE INDEX rag_feedback_modified_fc26eee0 ON rag_feedback (modified);
CREATE INDEX rag_feedback_user_id_3bfc920b ON rag_feedback (user_id);
CREATE INDEX rag_judgement_question_id_9656bce7 ON rag_judgement (question_id);
CREATE INDEX rag_knowledgegap_assignee_id_d0873204 ON rag_knowledgegap (assignee_id);
CREATE INDEX rag_knowledgegap_exchanges_exchange_id_ba05d19f ON rag_knowledgegap_exchanges (exchange_id);
CREATE INDEX rag_knowledgegap_exchanges_knowledgegap_id_e7f74b15 ON rag_knowledgegap_exchanges (knowledgegap_id);
CREATE INDEX rag_knowledgegap_status_e545c2ef ON rag_knowledgegap (status);
CREATE INDEX rag_knowledgegap_status_e545c2ef_like ON rag_knowledgegap (status varchar_pattern_ops);
CREATE INDEX rag_measuredquestion_measurement_id_8784e4db ON rag_measuredquestion (measurement_id);
CREATE INDEX rag_measurement_dataset_id_bb269b8b ON rag_measurement (dataset_id);
CREATE INDEX rag_measurement_user_id_21a2011f ON rag_measurement (user_id);
CREATE INDEX run_by_dataset ON rag_evaluationrun (dataset, kind, created DESC);
CREATE INDEX success_index ON django_q_task ("group", name, func) WHERE success;
CREATE INDEX synonym_phrase ON ingestion_synonym (phrase);
CREATE INDEX term_deletions ON ingestion_term USING gin (deletions) WITH (fastupdate=off);
CREATE TRIGGER ingestion_chunk_delete_noted AFTER DELETE ON ingestion_chunk REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION ingestion_chunk_delete_noted();
CREATE TRIGGER ingestion_chunk_insert_noted AFTER INSERT ON ingestion_chunk REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION ingestion_chunk_insert_noted();
CREATE TRIGGER ingestion_chunk_truncate_noted AFTER TRUNCATE ON ingestion_chunk FOR EACH STATEMENT EXECUTE FUNCTION ingestion_chunk_truncate_noted();
CREATE TRIGGER ingestion_chunk_update_noted AFTER UPDATE ON ingestion_chunk REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION ingestion_chunk_update_noted();
CREATE TRIGGER ingestion_collection_delete_noted AFTER DELETE ON ingestion_collection REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION ingestion_collection_delete_noted();
CREATE TRIGGER ingestion_collection_groups_delete_noted AFTER DELETE ON ingestion_collection_groups REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION ingestion_collection_groups_delete_noted();
CREATE TRIGGER ingestion_collection_groups_insert_noted AFTER INSERT ON ingestion_collection_groups REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION ingestion_collection_groups_insert_noted();
CREATE TRIGGER ingestion_collection_groups_truncate_noted AFTER TRUNCATE ON ingestion_collection_groups FOR EACH STATEMENT EXECUTE FUNCTION ingestion_collection_groups_truncate_noted();
CREATE TRIGGER ingestion_collection_groups_update_noted AFTER UPDATE ON ingestion_collection_groups REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION ingestion_collection_groups_update_noted();
CREATE TRIGGER ingestion_collection_insert_noted AFTER INSERT ON ingestion_collection REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION ingestion_collection_insert_noted();
CREATE TRIGGER ingestion_collection_truncate_noted AFTER TRUNCATE ON ingestion_collection FOR EACH STATEMENT EXECUTE FUNCTION ingestion_collection_truncate_noted();
CREATE TRIGGER ingestion_collection_update_noted AFTER UPDATE ON ingestion_collection REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION ingestion_collection_update_noted();
CREATE TRIGGER ingestion_document_delete_noted AFTER DELETE ON ingestion_document REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION ingestion_document_delete_noted();
CREATE TRIGGER ingestion_document_insert_noted AFTER INSERT ON ingestion_document REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION ingestion_document_insert_noted();
CREATE TRIGGER ingestion_document_truncate_noted AFTER TRUNCATE ON ingestion_document FOR EACH STATEMENT EXECUTE FUNCTION ingestion_document_truncate_noted();
CREATE TRIGGER ingestion_document_update_noted AFTER UPDATE ON ingestion_document REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION ingestion_document_update_noted();
CREATE TRIGGER ingestion_embeddingspace_delete_noted AFTER DELETE ON ingestion_embeddingspace REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION ingestion_embeddingspace_delete_noted();
CREATE TRIGGER ingestion_embeddingspace_insert_noted AFTER INSERT ON ingestion_embeddingspace REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION ingestion_embeddingspace_insert_noted();
CREATE TRIGGER ingestion_embeddingspace_truncate_noted AFTER TRUNCATE ON ingestion_embeddingspace FOR EACH STATEMENT EXECUTE FUNCTION ingestion_embeddingspace_truncate_noted();
CREATE TRIGGER ingestion_embeddingspace_update_noted AFTER UPDATE ON ingestion_embeddingspace REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION ingestion_embeddingspace_update_noted();
CREATE TRIGGER ingestion_entitymention_delete_noted AFTER DELETE ON ingestion_entitymention REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION ingestion_entitymention_delete_noted();
CREATE TRIGGER ingestion_entitymention_insert_noted AFTER INSERT ON ingestion_entitymention REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION ingestion_entitymention_insert_noted();
CREATE TRIGGER ingestion_entitymention_truncate_noted AFTER TRUNCATE ON ingestion_entitymention FOR EACH STATEMENT EXECUTE FUNCTION ingestion_entitymention_truncate_noted();
CREATE TRIGGER ingestion_entitymention_update_noted AFTER UPDATE ON ingestion_entitymention REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION ingestion_entitymention_update_noted();
CREATE TRIGGER ingestion_extraction_delete_noted AFTER DELETE ON ingestion_extraction REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION ingestion_extraction_delete_noted();
CREATE TRIGGER ingestion_extraction_insert_noted AFTER INSERT ON ingestion_extraction REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION ingestion_extraction_insert_noted();
CREATE TRIGGER ingestion_extraction_truncate_noted AFTER TRUNCATE ON ingestion_extraction FOR EACH STATEMENT EXECUTE FUNCTION ingestion_extraction_truncate_noted();
CREATE TRIGGER ingestion_extraction_update_noted AFTER UPDATE ON ingestion_extraction REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION ingestion_extraction_update_noted();
CREATE TRIGGER ingestion_glossaryentry_delete_noted AFTER DELETE ON ingestion_glossaryentry REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION ingestion_glossaryentry_delete_noted();
CREATE TRIGGER ingestion_glossaryentry_insert_noted AFTER INSERT ON ingestion_glossaryentry REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION ingestion_glossaryentry_insert_noted();
CREATE TRIGGER ingestion_glossaryentry_truncate_noted AFTER TRUNCATE ON ingestion_glossaryentry FOR EACH STATEMENT EXECUTE FUNCTION ingestion_glossaryentry_truncate_noted();
CREATE TRIGGER ingestion_glossaryentry_update_noted AFTER UPDATE ON ingestion_glossaryentry REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION ingestion_glossaryentry_update_noted();
CREATE TRIGGER ingestion_mention_deleted AFTER DELETE ON ingestion_entitymention REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION ingestion_count_mentions();
CREATE TRIGGER ingestion_mention_inserted AFTER INSERT ON ingestion_entitymention REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION ingestion_count_mentions();
CREATE TRIGGER ingestion_posting_deleted AFTER DELETE ON ingestion_posting REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION ingestion_count_postings();
CREATE TRIGGER ingestion_posting_inserted AFTER INSERT ON ingestion_posting REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION ingestion_count_postings();
CREATE TRIGGER ingestion_source_delete_noted AFTER DELETE ON ingestion_source REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION ingestion_source_delete_noted();
CREATE TRIGGER ingestion_source_insert_noted AFTER INSERT ON ingestion_source REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION ingestion_source_insert_noted();
CREATE TRIGGER ingestion_source_truncate_noted AFTER TRUNCATE ON ingestion_source FOR EACH STATEMENT EXECUTE FUNCTION ingestion_source_truncate_noted();
CREATE TRIGGER ingestion_source_update_noted AFTER UPDATE ON ingestion_source REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION ingestion_source_update_noted();
CREATE TRIGGER ingestion_synonym_delete_noted AFTER DELETE ON ingestion_synonym REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION ingestion_synonym_delete_noted();
CREATE TRIGGER ingestion_synonym_insert_noted AFTER INSERT ON ingestion_synonym REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION ingestion_synonym_insert_noted();
CREATE TRIGGER ingestion_synonym_truncate_noted AFTER TRUNCATE ON ingestion_synonym FOR EACH STATEMENT EXECUTE FUNCTION ingestion_synonym_truncate_noted();
CREATE TRIGGER ingestion_synonym_update_noted AFTER UPDATE ON ingestion_synonym REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION ingestion_synonym_update_noted();
CREATE TRIGGER ingestion_synonymgroup_delete_noted AFTER DELETE ON ingestion_synonymgroup REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION ingestion_synonymgroup_delete_noted();
CREATE TRIGGER ingestion_synonymgroup_insert_noted AFTER INSERT ON ingestion_synonymgroup REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION ingestion_synonymgroup_insert_noted();
CREATE TRIGGER ingestion_synonymgroup_truncate_noted AFTER TRUNCATE ON ingestion_synonymgroup FOR EACH STATEMENT EXECUTE FUNCTION ingestion_synonymgroup_truncate_noted();
CREATE TRIGGER ingestion_synonymgroup_update_noted AFTER UPDATE ON ingestion_synonymgroup REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION ingestion_synonymgroup_update_noted();
CREATE TRIGGER rag_document_deleted AFTER DELETE ON ingestion_document REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION rag_forget_answers();
ALTER TABLE auth_group_permissions ADD CONSTRAINT auth_group_permissio_permission_id_84c5c92e_fk_auth_perm FOREIGN KEY (permission_id) REFERENCES auth_permission(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE auth_group_permissions ADD CONSTRAINT auth_group_permissions_group_id_b120cbf9_fk_auth_group_id FOREIGN KEY (group_id) REFERENCES auth_group(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE auth_permission ADD CONSTRAINT auth_permission_content_type_id_2f476e4b_fk_django_co FOREIGN KEY (content_type_id) REFERENCES django_content_type(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE auth_user_groups ADD CONSTRAINT auth_user_groups_group_id_97559544_fk_auth_group_id FOREIGN KEY (group_id) REFERENCES auth_group(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE auth_user_groups ADD CONSTRAINT auth_user_groups_user_id_6a12ed8b_fk_auth_user_id FOREIGN KEY (user_id) REFERENCES auth_user(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE auth_user_user_permissions ADD CONSTRAINT auth_user_user_permi_permission_id_1fbb5f2c_fk_auth_perm FOREIGN KEY (permission_id) REFERENCES auth_permission(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE auth_user_user_permissions ADD CONSTRAINT auth_user_user_permissions_user_id_a95ead1b_fk_auth_user_id FOREIGN KEY (user_id) REFERENCES auth_user(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE django_admin_log ADD CONSTRAINT django_admin_log_content_type_id_c4bce8eb_fk_django_co FOREIGN KEY (content_type_id) REFERENCES django_content_type(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE django_admin_log ADD CONSTRAINT django_admin_log_user_id_c564eba6_fk_auth_user_id FOREIGN KEY (user_id) REFERENCES auth_user(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ingestion_chunk ADD CONSTRAINT ingestion_chunk_collection_id_cd01d086_fk_ingestion FOREIGN KEY (collection_id) REFERENCES ingestion_collection(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ingestion_chunk ADD CONSTRAINT ingestion_chunk_document_id_34de3014_fk_ingestion_document_id FOREIGN KEY (document_id) REFERENCES ingestion_document(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ingestion_chunk ADD CONSTRAINT ingestion_chunk_extraction_id_aea7443e_fk_ingestion FOREIGN KEY (extraction_id) REFERENCES ingestion_extraction(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ingestion_chunkembedding ADD CONSTRAINT ingestion_chunkembed_chunk_id_51849405_fk_ingestion FOREIGN KEY (chunk_id) REFERENCES ingestion_chunk(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ingestion_chunkembedding ADD CONSTRAINT ingestion_chunkembed_space_id_5672cc9f_fk_ingestion FOREIGN KEY (space_id) REFERENCES ingestion_embeddingspace(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ingestion_chunksketch ADD CONSTRAINT ingestion_chunksketch_chunk_id_3e7bb592_fk_ingestion_chunk_id FOREIGN KEY (chunk_id) REFERENCES ingestion_chunk(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ingestion_collectionstatistics ADD CONSTRAINT ingestion_collection_collection_id_2a35bee9_fk_ingestion FOREIGN KEY (collection_id) REFERENCES ingestion_collection(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ingestion_collection_groups ADD CONSTRAINT ingestion_collection_collection_id_d57092a9_fk_ingestion FOREIGN KEY (collection_id) REFERENCES ingestion_collection(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ingestion_collection_groups ADD CONSTRAINT ingestion_collection_groups_group_id_860815c7_fk_auth_group_id FOREIGN KEY (group_id) REFERENCES auth_group(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ingestion_document ADD CONSTRAINT ingestion_document_collection_id_e583c7a1_fk_ingestion FOREIGN KEY (collection_id) REFERENCES ingestion_collection(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ingestion_document ADD CONSTRAINT ingestion_document_source_id_e78a23c0_fk_ingestion_source_id FOREIGN KEY (source_id) REFERENCES ingestion_source(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ingestion_documentsketch ADD CONSTRAINT ingestion_documentsk_document_id_39c961a6_fk_ingestion FOREIGN KEY (document_id) REFERENCES ingestion_document(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ingestion_documentversion ADD CONSTRAINT ingestion_documentve_document_id_483e229d_fk_ingestion FOREIGN KEY (document_id) REFERENCES ingestion_document(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ingestion_documentversion ADD CONSTRAINT ingestion_documentversion_author_id_423102c7_fk_auth_user_id FOREIGN KEY (author_id) REFERENCES auth_user(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ingestion_embeddingcacheentry ADD CONSTRAINT ingestion_embeddingc_space_id_9b438644_fk_ingestion FOREIGN KEY (space_id) REFERENCES ingestion_embeddingspace(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ingestion_entity ADD CONSTRAINT ingestion_entity_collection_id_2d96a2f7_fk_ingestion FOREIGN KEY (collection_id) REFERENCES ingestion_collection(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ingestion_erasure ADD CONSTRAINT ingestion_erasure_collection_id_39f6d535_fk_ingestion FOREIGN KEY (collection_id) REFERENCES ingestion_collection(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ingestion_erasure ADD CONSTRAINT ingestion_erasure_erased_by_id_3488d416_fk_auth_user_id FOREIGN KEY (erased_by_id) REFERENCES auth_user(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ingestion_extraction ADD CONSTRAINT ingestion_extraction_document_id_afcae8a0_fk_ingestion FOREIGN KEY (document_id) REFERENCES ingestion_document(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ingestion_glossaryentry ADD CONSTRAINT ingestion_glossaryen_collection_id_89769bf1_fk_ingestion FOREIGN KEY (collection_id) REFERENCES ingestion_collection(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ingestion_job ADD CONSTRAINT ingestion_job_collection_id_72dc5d15_fk_ingestion_collection_id FOREIGN KEY (collection_id) REFERENCES ingestion_collection(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ingestion_job ADD CONSTRAINT ingestion_job_document_id_427fccfb_fk_ingestion_document_id FOREIGN KEY (document_id) REFERENCES ingestion_document(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ingestion_job ADD CONSTRAINT ingestion_job_rechunking_id_db618bc1_fk_ingestion_rechunking_id FOREIGN KEY (rechunking_id) REFERENCES ingestion_rechunking(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ingestion_job ADD CONSTRAINT ingestion_job_source_id_8e230d3a_fk_ingestion_source_id FOREIGN KEY (source_id) REFERENCES ingestion_source(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ingestion_job ADD CONSTRAINT ingestion_job_space_id_3c21f038_fk_ingestion_embeddingspace_id FOREIGN KEY (space_id) REFERENCES ingestion_embeddingspace(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ingestion_jobattempt ADD CONSTRAINT ingestion_jobattempt_job_id_bc358a7a_fk_ingestion_job_id FOREIGN KEY (job_id) REFERENCES ingestion_job(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ingestion_personaldata ADD CONSTRAINT ingestion_personalda_document_id_5885a399_fk_ingestion FOREIGN KEY (document_id) REFERENCES ingestion_document(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ingestion_personaldata ADD CONSTRAINT ingestion_personalda_extraction_id_c00f4a41_fk_ingestion FOREIGN KEY (extraction_id) REFERENCES ingestion_extraction(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ingestion_rechunkedcollection ADD CONSTRAINT ingestion_rechunkedc_collection_id_6fa39f61_fk_ingestion FOREIGN KEY (collection_id) REFERENCES ingestion_collection(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ingestion_rechunkedcollection ADD CONSTRAINT ingestion_rechunkedc_rechunking_id_83e4e999_fk_ingestion FOREIGN KEY (rechunking_id) REFERENCES ingestion_rechunking(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ingestion_similardocument ADD CONSTRAINT ingestion_similardoc_document_id_ca2231a4_fk_ingestion FOREIGN KEY (document_id) REFERENCES ingestion_document(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ingestion_similardocument ADD CONSTRAINT ingestion_similardoc_other_id_0edc9c9b_fk_ingestion FOREIGN KEY (other_id) REFERENCES ingestion_document(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ingestion_source ADD CONSTRAINT ingestion_source_collection_id_aec10b0d_fk_ingestion FOREIGN KEY (collection_id) REFERENCES ingestion_collection(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ingestion_source ADD CONSTRAINT ingestion_source_owner_id_7e764f1b_fk_auth_user_id FOREIGN KEY (owner_id) REFERENCES auth_user(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ingestion_sourceaddress ADD CONSTRAINT ingestion_sourceaddr_document_id_123a35d8_fk_ingestion FOREIGN KEY (document_id) REFERENCES ingestion_document(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ingestion_sourceaddress ADD CONSTRAINT ingestion_sourceaddr_report_id_b74e3e1e_fk_ingestion FOREIGN KEY (report_id) REFERENCES ingestion_syncreport(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ingestion_sourceaddress ADD CONSTRAINT ingestion_sourceaddr_source_id_dbb09241_fk_ingestion FOREIGN KEY (source_id) REFERENCES ingestion_source(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ingestion_syncreport ADD CONSTRAINT ingestion_syncreport_job_id_9382dd0d_fk_ingestion_job_id FOREIGN KEY (job_id) REFERENCES ingestion_job(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ingestion_syncreport ADD CONSTRAINT ingestion_syncreport_source_id_acc7f73f_fk_ingestion_source_id FOREIGN KEY (source_id) REFERENCES ingestion_source(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ingestion_synonym ADD CONSTRAINT ingestion_synonym_group_id_1e6c6bca_fk_ingestion FOREIGN KEY (group_id) REFERENCES ingestion_synonymgroup(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ingestion_synonymgroup ADD CONSTRAINT ingestion_synonymgro_collection_id_cdee8a8e_fk_ingestion FOREIGN KEY (collection_id) REFERENCES ingestion_collection(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE rag_assistant_collections ADD CONSTRAINT rag_assistant_collec_assistant_id_f0dacbbb_fk_rag_assis FOREIGN KEY (assistant_id) REFERENCES rag_assistant(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE rag_assistant_collections ADD CONSTRAINT rag_assistant_collec_collection_id_2e4a07c7_fk_ingestion FOREIGN KEY (collection_id) REFERENCES ingestion_collection(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE rag_community ADD CONSTRAINT rag_community_collection_id_af603f06_fk_ingestion_collection_id FOREIGN KEY (collection_id) REFERENCES ingestion_collection(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE rag_communitydocument ADD CONSTRAINT rag_communitydocumen_document_id_dafd53d9_fk_ingestion FOREIGN KEY (document_id) REFERENCES ingestion_document(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE rag_communitydocument ADD CONSTRAINT rag_communitydocument_community_id_976c35c8_fk_rag_community_id FOREIGN KEY (community_id) REFERENCES rag_community(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE rag_communitysentence ADD CONSTRAINT rag_communitysentenc_document_id_2042850e_fk_ingestion FOREIGN KEY (document_id) REFERENCES ingestion_document(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE rag_communitysentence ADD CONSTRAINT rag_communitysentence_community_id_54a4e11e_fk_rag_community_id FOREIGN KEY (community_id) REFERENCES rag_community(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE rag_conversation ADD CONSTRAINT rag_conversation_assistant_id_e0da981d_fk_rag_assistant_id FOREIGN KEY (assistant_id) REFERENCES rag_assistant(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE rag_conversation ADD CONSTRAINT rag_conversation_owner_id_180501c3_fk_auth_user_id FOREIGN KEY (owner_id) REFERENCES auth_user(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE rag_evaluationdataset ADD CONSTRAINT rag_evaluationdatase_collection_id_d55e4ffe_fk_ingestion FOREIGN KEY (collection_id) REFERENCES ingestion_collection(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE rag_evaluationquestion ADD CONSTRAINT rag_evaluationquesti_dataset_id_756f3af4_fk_rag_evalu FOREIGN KEY (dataset_id) REFERENCES rag_evaluationdataset(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE rag_exchange_collections ADD CONSTRAINT rag_exchange_collect_collection_id_9aaaf4fb_fk_ingestion FOREIGN KEY (collection_id) REFERENCES ingestion_collection(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE rag_exchange_collections ADD CONSTRAINT rag_exchange_collect_exchange_id_f9ddf58a_fk_rag_excha FOREIGN KEY (exchange_id) REFERENCES rag_exchange(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE rag_exchange ADD CONSTRAINT rag_exchange_conversation_id_8598bd2a_fk_rag_conversation_id FOREIGN KEY (conversation_id) REFERENCES rag_conversation(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE rag_exchangecitation ADD CONSTRAINT rag_exchangecitation_document_id_d2656b17_fk_ingestion FOREIGN KEY (document_id) REFERENCES ingestion_document(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE rag_exchangecitation ADD CONSTRAINT rag_exchangecitation_exchange_id_af493ffe_fk_rag_exchange_id FOREIGN KEY (exchange_id) REFERENCES rag_exchange(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE rag_feedback ADD CONSTRAINT rag_feedback_exchange_id_15f6e72e_fk_rag_exchange_id FOREIGN KEY (exchange_id) REFERENCES rag_exchange(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE rag_feedback ADD CONSTRAINT rag_feedback_user_id_3bfc920b_fk_auth_user_id FOREIGN KEY (user_id) REFERENCES auth_user(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE rag_judgement ADD CONSTRAINT rag_judgement_question_id_9656bce7_fk_rag_evaluationquestion_id FOREIGN KEY (question_id) REFERENCES rag_evaluationquestion(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE rag_knowledgegap ADD CONSTRAINT rag_knowledgegap_assignee_id_d0873204_fk_auth_user_id FOREIGN KEY (assignee_id) REFERENCES auth_user(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE rag_knowledgegap_exchanges ADD CONSTRAINT rag_knowledgegap_exc_exchange_id_ba05d19f_fk_rag_excha FOREIGN KEY (exchange_id) REFERENCES rag_exchange(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE rag_knowledgegap_exchanges ADD CONSTRAINT rag_knowledgegap_exc_knowledgegap_id_e7f74b15_fk_rag_knowl FOREIGN KEY (knowledgegap_id) REFERENCES rag_knowledgegap(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE rag_measuredquestion ADD CONSTRAINT rag_measuredquestion_measurement_id_8784e4db_fk_rag_measu FOREIGN KEY (measurement_id) REFERENCES rag_measurement(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE rag_measurement ADD CONSTRAINT rag_measurement_dataset_id_bb269b8b_fk_rag_evaluationdataset_id FOREIGN KEY (dataset_id) REFERENCES rag_evaluationdataset(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE rag_measurement ADD CONSTRAINT rag_measurement_job_id_5fa95e2b_fk_ingestion_job_id FOREIGN KEY (job_id) REFERENCES ingestion_job(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE rag_measurement ADD CONSTRAINT rag_measurement_run_id_d476dbad_fk_rag_evaluationrun_id FOREIGN KEY (run_id) REFERENCES rag_evaluationrun(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE rag_measurement ADD CONSTRAINT rag_measurement_user_id_21a2011f_fk_auth_user_id FOREIGN KEY (user_id) REFERENCES auth_user(id) DEFERRABLE INITIALLY DEFERRED;
