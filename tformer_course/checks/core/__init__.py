"""The mechanism behind every check: draw inputs, call the answer, compare, name the mistake."""
