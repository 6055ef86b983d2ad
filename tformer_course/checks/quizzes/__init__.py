"""Questions of each chapter's quiz: one module per chapter, with a list QUESTIONS."""
