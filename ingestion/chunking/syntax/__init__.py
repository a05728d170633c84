"""Source code as a syntax tree: which grammar reads it, which of its nodes define something."""
