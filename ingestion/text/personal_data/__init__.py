"""Numbers and addresses that belong to a person or a firm: found by their form, their checksum and the words around."""
