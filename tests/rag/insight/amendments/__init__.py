"""Acts that change other acts."""
