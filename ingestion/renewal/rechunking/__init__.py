"""Documents split and embedded anew from their stored texts, one by one, while readers search."""
