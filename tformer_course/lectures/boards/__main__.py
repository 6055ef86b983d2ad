"""Draws all boards into the kits, each in three stages: blank, half, full.

    python -m tformer_course.lectures.boards

A board is what a lecturer draws by hand while talking: the blank stage is what stands there before, the half stage
where the class is asked, the full stage the result. The drawings need no font but what a browser has.
"""

from __future__ import annotations

from collections.abc import Callable

from tformer_course.lectures.boards import chapters, overview
from tformer_course.lectures.boards.drawing import Board
from tformer_course.lectures.kit import lectures_folder

# Where each board is used; a kit has its own copy, so that its folder can be carried away.
BOARDS: list[tuple[Callable[[], Board], str, tuple[str, ...]]] = [
    (overview.attention, "1_attention", ("00_overview", "01_attention")),
    (overview.multi_head, "2_multi_head", ("00_overview", "02_multi_head")),
    (overview.positions, "3_positions", ("00_overview", "03_positions")),
    (overview.block, "4_block", ("00_overview", "04_block")),
    (overview.variants, "5_variants", ("00_overview",)),
    (chapters.families, "families", ("05_families",)),
    (chapters.flash, "flash", ("06_efficient_attention",)),
    (chapters.mamba_moe, "mamba_moe", ("07_mamba_moe",)),
    (chapters.finetune, "finetune", ("08_pretrain_finetune",)),
    (chapters.preferences, "preferences", ("09_rlhf_dpo",)),
    (chapters.group_relative, "group_relative", ("10_grpo",)),
]


def main() -> None:
    """Draw all of them."""
    for draw, name, kits in BOARDS:
        for kit in kits:
            draw().save(lectures_folder() / kit / "boards", name)


if __name__ == "__main__":
    main()
