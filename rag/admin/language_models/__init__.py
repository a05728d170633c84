"""Which language models are asked, what they cost and how much they may."""
