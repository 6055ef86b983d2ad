"""In front of a class: kits in `assets/lectures/`, decks and handouts made from them, and the stage in JupyterLab."""
