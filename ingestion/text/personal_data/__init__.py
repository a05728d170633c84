"""What tells of a person: numbers by their form and checksum, addresses, names in all cases, misread ones too."""
