"""From the characters of a PDF page to lines, tables and paragraphs. In points; y grows upwards."""
