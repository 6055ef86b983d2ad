"""Small corpora, tasks and training loops, made by the course: nothing is downloaded."""
