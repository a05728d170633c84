"""Personal data for other programs; the work is done in `ingestion.text.personal_data`."""
