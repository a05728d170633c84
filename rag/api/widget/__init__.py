"""What a widget on somebody else's page may do here: ask one assistant, as anybody may, and judge its answers."""
