"""Names of people, places and things in Polish texts."""
