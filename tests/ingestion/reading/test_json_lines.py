from ingestion.reading.registry import extract


def test_each_record_is_a_block_and_what_is_no_json_stays() -> None:
    content = b'{"nazwa": "\\u0141\\u00f3d\\u017a", "x": 1.50}\n\nto nie JSON\n[1]\n'
    media_type, found = extract(content, name="a.jsonl", max_bytes=1000, max_characters=1000)
    assert media_type == "application/x-ndjson"
    assert found.text == '{\n  "nazwa": "Łódź",\n  "x": 1.50\n}\n\nto nie JSON\n\n[\n  1\n]\n'
