"""What language models cost: prices, what is used where and by whom, and what may be used."""
