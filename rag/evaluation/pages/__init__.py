"""What was measured as HTML pages that need nothing else, to be kept, printed or handed on."""
