"""Documents: uploaded, edited, archived, erased."""
