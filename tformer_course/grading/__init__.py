"""What instructors use on top of nbgrader. No notebook imports anything from here."""
