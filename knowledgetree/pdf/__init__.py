"""Files in PDF, with letters of every European language in them."""
