"""The whole search for passages, from the words of a question to a ranking that can be explained."""
