"""An act with what other acts changed in it, as far as their orders can be carried out with certainty."""
