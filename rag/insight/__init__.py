"""What questions and documents tell of a knowledge base as a whole."""
