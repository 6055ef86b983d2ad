"""The answer bank: right and wrong answers that prove the grader."""
