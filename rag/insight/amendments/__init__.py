"""Acts that change other acts: which unit of which act, and how."""
