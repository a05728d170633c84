"""What a text states exactly: dates, quantities, hours of the day, provisions, identifiers, as comparable values."""
