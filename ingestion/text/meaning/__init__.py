"""What words mean, as places in a space: near ones are associated with the same things."""
