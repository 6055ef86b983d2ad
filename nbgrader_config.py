"""nbgrader's settings for this course. nbgrader finds this file by itself in the folder you start it from."""

c = get_config()  # noqa: F821 (nbgrader defines it)

c.CourseDirectory.course_id = "tformer"
# The house's own names: what authors write, and what students get.
c.CourseDirectory.source_directory = "solutions"
c.CourseDirectory.release_directory = "notebooks"
c.CourseDirectory.ignore = [".ipynb_checkpoints", "*.pyc*", "__pycache__", "feedback", ".DS_Store"]

# The stub must still raise: an untouched exercise earns nothing and says why.
c.ClearSolutions.code_stub = {
    "python": '# YOUR CODE HERE\nraise NotImplementedError("write your answer here, then delete this line")'
}
c.ClearSolutions.text_stub = "*Write your answer here, then delete this line.*"

# One cell may train a small model. The notebook as a whole is bounded by its own tests.
c.ExecutePreprocessor.timeout = 180
c.ExecutePreprocessor.startup_timeout = 120
# A cell that hangs is interrupted, loses its own points, and the rest still runs.
c.ExecutePreprocessor.interrupt_on_timeout = True
# Runaway output would end up in the gradebook's folder and in every feedback page.
c.LimitOutput.max_lines = 500
c.LimitOutput.max_traceback = 50

# Cells that only show something are not run when a notebook is graded or validated.
c.ExecutePreprocessor.skip_cells_with_tag = "demo"

# Autograding, from `tformer grade`, `nbgrader autograde` and formgrader alike: plain files in, everything but the
# sources of cells rebuilt, run in a sandbox, judged outside it (docs/instructors.md).
c.Autograde.exporter_class = "tformer_course.grading.intake.SubmissionExporter"
c.Autograde.pre_convert_hook = "tformer_course.grading.intake.set_links_aside"
c.Autograde.sanitize_preprocessors = [
    "tformer_course.grading.restore.Restore",
    "nbgrader.preprocessors.CheckCellMetadata",
]
c.Autograde.autograde_preprocessors = [
    "tformer_course.grading.execute.Execute",
    "nbgrader.preprocessors.LimitOutput",
    "nbgrader.preprocessors.SaveAutoGrades",
    "nbgrader.preprocessors.AssignLatePenalties",
    "nbgrader.preprocessors.CheckCellMetadata",
]

# Feedback shows what was wrong, never a hidden test; see tformer_course/grading/feedback.py.
c.GenerateFeedback.preprocessors = [
    "nbgrader.preprocessors.GetGrades",
    "tformer_course.grading.feedback.HideTests",
    "nbconvert.preprocessors.CSSHTMLHeaderPreprocessor",
]
