"""The command `tformer`. Each command imports what it needs, so that `tformer --help` is quick."""

import argparse
import sys


def main(argv: list[str] | None = None) -> int:
    """Run one command; returns its exit status (0: all is well)."""
    # A Windows console that is not UTF-8 must not turn a check mark into a crash.
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    arguments = parser().parse_args(argv)
    return arguments.run(arguments)


def parser() -> argparse.ArgumentParser:
    """The commands and their options."""
    top = argparse.ArgumentParser(prog="tformer", description="Tools of the course on Transformers.")
    commands = top.add_subparsers(dest="command", required=True, metavar="COMMAND")

    models = commands.add_parser("models", help="install and check the two real models (once; needs a network)")
    models.set_defaults(run=run_models)

    doctor = commands.add_parser("doctor", help="say what is missing or off, with the fix")
    doctor.set_defaults(run=run_doctor)

    release = commands.add_parser("release", help="make notebooks/ from solutions/ (authors)")
    release.add_argument("names", nargs="*", metavar="NAME", help="chapters, such as 01_attention")
    release.add_argument("--all", action="store_true", help="every chapter in solutions/")
    release.add_argument("--check", action="store_true", help="write nothing, fail if notebooks/ is not up to date")
    release.set_defaults(run=run_release)

    bundle = commands.add_parser("bundle", help="write what students get to dist/, as a folder and a zip (instructors)")
    bundle.set_defaults(run=run_bundle)

    grade = commands.add_parser("grade", help="grade all submissions, safely and at once (instructors)")
    grade.add_argument("assignment", metavar="ASSIGNMENT", help="for example 01_attention")
    grade.add_argument("--student", action="append", default=[], metavar="S", help="only this one; may be repeated")
    grade.add_argument("--jobs", type=int, default=0, metavar="N", help="submissions at a time (default: all cores)")
    grade.add_argument("--force", action="store_true", help="run everything anew, also what has not changed")
    grade.add_argument("--check", action="store_true", help="only say what would be rejected; writes nothing")
    grade.add_argument("--scheduler", default="", metavar="ADDRESS", help="a Dask scheduler, such as tcp://host:8786")
    grade.add_argument("--unsafe-no-sandbox", action="store_true", help="run students' code as yourself, this once")
    grade.set_defaults(run=run_grade)

    stats = commands.add_parser("stats", help="say what a class found hard, after grading (instructors)")
    stats.add_argument("assignment", metavar="ASSIGNMENT", help="for example 01_attention")
    stats.set_defaults(run=run_stats)

    lecture = commands.add_parser("lecture", help="open a demo for the stage, the speaker's page beside it (lecturers)")
    lecture.add_argument("--no-browser", action="store_true", help="print the address and open no browser")
    lecture.add_argument("--port", type=int, default=0, metavar="N", help="of the server (default: any free one)")
    slides = commands.add_parser("slides", help="write a slide deck, one HTML file that needs no network (lecturers)")
    handout = commands.add_parser("handout", help="write a handout, one HTML file (lecturers)")
    for command, run in ((lecture, run_lecture), (slides, run_page), (handout, run_page)):
        command.add_argument("kit", metavar="NN", help="number or name of a kit, for example 03 or positions")
        command.set_defaults(run=run)
    for command in (slides, handout):
        command.add_argument("-o", "--output", metavar="FILE", help="default: dist/lectures/<kit>_<command>.html")
    return top


def run_models(arguments: argparse.Namespace) -> int:
    """Install, verify and convert the two models."""
    from tformer_course.offline_models import ModelError, install_models

    try:
        install_models()
    except (ModelError, OSError) as error:
        print(f"tformer models: {error}", file=sys.stderr)
        return 1
    return 0


def run_doctor(arguments: argparse.Namespace) -> int:
    """Print the table of checks."""
    from tformer_course.doctor import main as doctor

    return doctor()


def run_release(arguments: argparse.Namespace) -> int:
    """Build chapters, or compare them with a fresh build."""
    from tformer_course.grading.release import ReleaseError, chapters, release, release_diff

    try:
        if arguments.check:
            differences = release_diff()
            print("\n\n".join(differences) or f"notebooks/ is up to date ({len(chapters())} chapters)")
            return 1 if differences else 0
        names = chapters() if arguments.all else arguments.names
        if not names:
            print("tformer release: name a chapter, or --all (there may be none in solutions/ yet)", file=sys.stderr)
            return 0 if arguments.all else 2
        for name in names:
            changed = release(name)
            print(f"notebooks/{name}: {'changed: ' + ', '.join(changed) if changed else 'as before'}")
    except ReleaseError as error:
        print(f"tformer release: {error}", file=sys.stderr)
        return 1
    return 0


def run_bundle(arguments: argparse.Namespace) -> int:
    """Write the students' folder and zip."""
    from tformer_course.grading.bundle import BundleError, write_bundle

    try:
        folder, archive = write_bundle()
    except BundleError as error:
        print(f"tformer bundle: {error}", file=sys.stderr)
        return 1
    print(f"{folder}\n{archive} ({archive.stat().st_size / 1e6:.1f} MB)")
    return 0


def run_grade(arguments: argparse.Namespace) -> int:
    """Grade submissions."""
    from tformer_course.grading.engine import Options, main

    given = {name: getattr(arguments, name) for name in ("assignment", "jobs", "force", "check", "scheduler")}
    return main(Options(students=tuple(arguments.student), unsafe=arguments.unsafe_no_sandbox, **given))


def run_lecture(arguments: argparse.Namespace) -> int:
    """Open the stage and the speaker's page."""
    from tformer_course.lectures.kit import KitError, find_kit
    from tformer_course.lectures.stage import run

    try:
        return run(find_kit(arguments.kit), port=arguments.port, browser=not arguments.no_browser)
    except (KitError, FileNotFoundError) as error:
        print(f"tformer lecture: {error}", file=sys.stderr)
        return 2


def run_page(arguments: argparse.Namespace) -> int:
    """Write a deck or a handout."""
    from tformer_course.lectures.export import write_page
    from tformer_course.lectures.kit import KitError, find_kit

    try:
        path = write_page(find_kit(arguments.kit), arguments.command, arguments.output)
    except (KitError, OSError) as error:
        print(f"tformer {arguments.command}: {error}", file=sys.stderr)
        return 2
    print(f"{path} ({path.stat().st_size / 1e6:.1f} MB)")
    return 0


def run_stats(arguments: argparse.Namespace) -> int:
    """Print the statistics of an assignment, and write them beside its table."""
    from pathlib import Path

    from tformer_course.grading import stats

    folder = Path.cwd() / "grading" / arguments.assignment
    try:
        found = stats.collect(folder)
    except FileNotFoundError as error:
        print(f"tformer stats: {error}. Run `tformer grade {arguments.assignment}` first.", file=sys.stderr)
        return 2
    print(stats.text(found))
    print(*stats.write(folder, found), sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
