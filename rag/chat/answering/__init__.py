"""An answer, fresh or stored, as the page shows it."""
