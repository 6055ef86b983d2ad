"""A course on Transformers. Importing it loads nothing heavy: import the parts you need."""

__version__ = "0.1.0"
