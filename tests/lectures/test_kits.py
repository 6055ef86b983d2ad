"""Every lecture kit has the form that a lecturer relies on; decks and handouts ask the network for nothing."""

from __future__ import annotations

import re
from functools import cache

import pytest

from tformer_course.lectures import export
from tformer_course.lectures.boards.__main__ import BOARDS
from tformer_course.lectures.kit import BOARD, SECTIONS, KitError, find_kit, kit_names, slide_type, with_headings
from tformer_course.lectures.markdown import mathml, to_html
from tformer_course.lectures.speaker import slides_of, speaker_page
from tformer_course.lectures.stage import stage_notebook

KITS = kit_names()
IMAGE = re.compile(r"<img\b[^>]*>")


@pytest.fixture(params=KITS)
def kit(request):
    return find_kit(request.param)


@cache
def deck_of(name: str) -> str:
    return export.deck(find_kit(name))


@cache
def handout_of(name: str) -> str:
    return export.handout(find_kit(name))


def seen_cells(kit) -> list:
    """The cells that the class sees: no notes, no imports."""
    return [cell for cell in kit.demo.cells if slide_type(cell) not in ("notes", "skip")]


# --- kit.md ----------------------------------------------------------------------------------------------------------


def test_there_are_kits():
    assert "00_overview" in KITS


def test_all_sections_are_there_and_say_something(kit):
    assert all(len(kit.sections.get(name, "")) > 80 for name in SECTIONS), list(kit.sections)
    assert len(re.findall(r"^\d\. \*\*", kit.sections["Misconceptions"], re.MULTILINE)) == 3


def test_minutes_follow_each_other_and_fit_a_lecture(kit):
    assert 25 <= kit.total_minutes <= 35


def test_each_poll_has_options_and_one_answer_with_a_reason(kit):
    polls = re.split(r"^### ", kit.sections["Polls"], flags=re.MULTILINE)[1:]
    assert len(polls) >= 2
    for poll in polls:
        options = re.findall(r"^- ([A-D])\. \S", poll, re.MULTILINE)
        (answer,) = re.findall(r"^\*\*Answer: ([^*]+)\*\*", poll, re.MULTILINE)
        right = re.findall(r"\b[A-D]\b", answer)
        assert len(options) >= 3 and right and set(right) <= set(options), poll


def test_polls_stand_within_the_minute_table(kit):
    assert all(int(minute) < kit.total_minutes for minute in re.findall(r"\(minute (\d+)\)", kit.text))


# --- demo.ipynb ------------------------------------------------------------------------------------------------------


def test_number_of_cells(kit):
    assert 10 <= len(seen_cells(kit)) <= 14


def test_every_cell_has_a_place_and_a_readable_id(kit):
    ids = [cell.id for cell in kit.demo.cells]
    assert len(set(ids)) == len(ids)
    for cell in kit.demo.cells:
        assert slide_type(cell) in ("slide", "subslide", "fragment", "notes", "skip"), cell.id
        assert re.fullmatch(r"[a-z][a-z0-9-]{2,40}", cell.id), cell.id


def test_imports_come_first_and_are_not_shown(kit):
    first = kit.demo.cells[0]
    assert first.id == "setup" and first.metadata.tags == ["setup"] and slide_type(first) == "skip"
    compile(kit.setup_source(), "setup", "exec")


def test_every_slide_has_a_heading_and_notes(kit):
    assert all(slide.heading and len(slide.notes) > 60 for slide in kit.slides), [s.heading for s in kit.slides]


def test_every_live_cell_has_its_result_stored_as_a_figure(kit):
    live = [cell for cell in seen_cells(kit) if cell.cell_type == "code"]
    assert len(live) >= 4
    for cell in live:
        pages = "".join(output.get("data", {}).get("text/html", "") for output in cell.outputs)
        assert "<img" in pages, f"{cell.id} has no figure"
        assert not any(output.output_type == "error" for output in cell.outputs), cell.id


def test_nothing_in_the_demo_hangs_on_a_kernel_or_a_clock(kit):
    for cell in kit.demo.cells:
        for output in cell.get("outputs", []):
            assert not [kind for kind in output.get("data", {}) if "widget" in kind], cell.id
            assert output.output_type != "stream" or output.name == "stdout", f"{cell.id} writes to stderr"
        assert cell.get("execution_count") is None, cell.id


def test_code_fits_beside_its_figure(kit):
    for cell in seen_cells(kit):
        if cell.cell_type == "code":
            core = re.split(r"^(?:viz\.show|figure = )", cell.source, maxsplit=1, flags=re.MULTILINE)[0]
            assert len(core.splitlines()) <= 26, cell.id
            assert cell.source.startswith("# "), f"{cell.id}: the first comment is the slide's heading"


def test_each_board_in_the_demo_has_three_stages(kit):
    boards = [found for cell in kit.demo.cells for found in BOARD.finditer(cell.source)]
    assert boards
    for board in boards:
        assert len(board["alt"]) > 80
        for stage in ("blank", "half", "full"):
            assert (kit.folder / f"{board['stem']}_{stage}.svg").exists()


# --- boards ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("draw, name, kits", BOARDS, ids=[name for _, name, _ in BOARDS])
def test_boards_are_what_the_script_draws_and_grow(draw, name, kits, tmp_path, root):
    draw().save(tmp_path, name)
    stages = [(tmp_path / f"{name}_{stage}.svg").read_text(encoding="utf-8") for stage in ("blank", "half", "full")]
    assert len(stages[0]) < len(stages[1]) < len(stages[2])
    for kit in kits:
        if kit in KITS:
            for stage, text in zip(("blank", "half", "full"), stages, strict=True):
                drawn = root / "assets/lectures" / kit / "boards" / f"{name}_{stage}.svg"
                assert drawn.read_text(encoding="utf-8") == text, (
                    f"run python -m tformer_course.lectures.boards ({drawn})"
                )


# --- decks, handouts, the speaker's page -----------------------------------------------------------------------------


@pytest.mark.parametrize("name", KITS)
@pytest.mark.parametrize("make", [deck_of, handout_of], ids=["deck", "handout"])
def test_page_refers_to_nothing_outside(make, name):
    assert export.outside_references(make(name)) == []


@pytest.mark.parametrize("name", KITS)
@pytest.mark.parametrize("make", [deck_of, handout_of], ids=["deck", "handout"])
def test_every_picture_has_an_alternative_text_or_is_the_stage_of_one_that_has(make, name):
    page = make(name)
    pictures = [p for p in IMAGE.findall(re.sub(r"<script.*?</script>", "", page, flags=re.DOTALL)) if "src=" in p]
    assert pictures
    for picture in pictures:
        assert re.search(r'\balt="', picture), picture[:200]
    empty = [p for p in pictures if 'alt=""' in p]
    assert all("image/svg+xml" in p for p in empty)


@pytest.mark.parametrize("name", KITS)
@pytest.mark.parametrize("make", [deck_of, handout_of], ids=["deck", "handout"])
def test_formulas_are_drawn_by_the_browser(make, name):
    page = make(name)
    visible = re.sub(r"<(script|style|pre|code)\b.*?</\1>", "", page, flags=re.DOTALL)
    assert not re.search(r"\$[^$<]{1,80}\\[a-z]+", visible), "a formula that was left as LaTeX"
    assert "<mi>&</mi>" not in page and "<merror" not in page


@pytest.mark.parametrize("name", KITS)
def test_deck_has_a_section_and_notes_for_each_slide(name):
    page = deck_of(name)
    slides = find_kit(name).slides
    assert page.count("<section") >= len(slides)
    assert page.count('<aside class="notes">') >= len(slides)


@pytest.mark.parametrize("name", KITS)
def test_handout_has_no_notes_and_no_printed_output(name):
    page = handout_of(name)
    assert '<aside class="notes">' not in page
    assert 'data-mime-type="text/plain"' not in page and "vnd.jupyter.stderr" not in page
    assert "In&nbsp;[" not in page and "<details" in page


def test_speaker_page_has_everything_and_asks_nobody(kit):
    demo = stage_notebook(kit)
    page = speaker_page(kit, demo)
    assert "<!--" not in page
    assert export.outside_references(page) == []
    assert {slide["notes"] for slide in slides_of(demo)} == set(range(len(kit.slides)))
    assert all(f"{row.start}–{row.end}" in page for row in kit.minutes)


def test_stage_has_no_notes_no_outputs_and_growing_boards(kit):
    demo = stage_notebook(kit)
    assert all(slide_type(cell) not in ("notes", "skip") and not cell.get("outputs") for cell in demo.cells)
    names = [m for cell in demo.cells for m in re.findall(r"_(blank|half|full)\.svg", cell.source)]
    assert names[:3] == ["blank", "half", "full"] and names.count("half") == names.count("full")
    assert len({cell.id for cell in demo.cells}) == len(demo.cells)


# --- small parts -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("wanted", ["0", "00", "overview", "00_overview"])
def test_a_kit_is_found_by_number_topic_or_name(wanted):
    assert find_kit(wanted).name == "00_overview"


def test_an_unknown_kit_names_those_that_there_are():
    with pytest.raises(KitError, match="00_overview"):
        find_kit("99")


def test_minutes_with_a_gap_are_refused(tmp_path):
    from tformer_course.lectures.kit import Kit

    (tmp_path / "kit.md").write_text("# x\n\n## Minutes\n\n| 0–3 | a | b |\n| 4–6 | c | d |\n", encoding="utf-8")
    with pytest.raises(KitError, match="should start at minute 3"):
        _ = Kit(tmp_path).minutes


@pytest.mark.parametrize(
    "page, found",
    [
        ('<script src="https://x.org/a.js"></script>', 1),
        ("<img src='//x.org/a.png'>", 1),
        ("<style>@import url(x.css)</style>", 1),
        ('<a href="https://x.org">a link that is clicked</a>', 0),
        ('<img src="data:image/png;base64,AA">', 0),
    ],
)
def test_references_to_the_outside_are_found(page, found):
    assert len(export.outside_references(page)) == found


def test_formula_keeps_its_source_for_those_who_hear_it():
    assert 'alttext="a &lt; b"' in mathml("a < b")
    assert "<math" in to_html("so $x^2$ grows") and "$" not in to_html("so $x^2$ grows")


def test_comment_of_a_code_cell_becomes_the_heading():
    import nbformat

    cell = nbformat.v4.new_code_cell("# A title\nx = 1", id="one", metadata={"slideshow": {"slide_type": "slide"}})
    heading, code = with_headings(nbformat.v4.new_notebook(cells=[cell])).cells
    assert heading.source == "## A title" and code.source == "x = 1"
    assert slide_type(heading) == "slide" and slide_type(code) == ""
