"""The boards of the chapters that have none of the overview's."""

from __future__ import annotations

from tformer_course.lectures.boards.drawing import BLUE, GREEN, GREY, INK, RED, Board


def families() -> Board:
    """Three masks, three objectives, one block."""
    b = Board("One block, three families: the mask decides")
    full, causal = [[0.6] * 4 for _ in range(4)], [[0.6 if j <= i else 0 for j in range(4)] for i in range(4)]
    for x, name, colour in ((290, "encoder: BERT", BLUE), (660, "decoder: GPT, LLaMA", GREEN), (1020, "both: T5", RED)):
        b.box(0, x, 125, 300, 54, name, colour=colour, size=24)
    b.text(0, 40, 285, "who sees whom?", size=20, colour=GREY, anchor="start")
    for x in (214, 584):
        b.cells(0, x, 200, 38, [[0] * 4] * 4)
    for x in (895, 1060):
        b.cells(0, x, 200, 30, [[0] * 4] * 4)
    b.cells(1, 214, 200, 38, full, colour=BLUE)
    b.cells(1, 584, 200, 38, causal, colour=GREEN)
    b.cells(1, 895, 200, 30, full, colour=RED)
    b.cells(1, 1060, 200, 30, causal, colour=RED)
    b.arrow(1, (1018, 260), (1056, 260), colour=RED)
    b.text(1, 955, 345, "source", size=18, colour=RED)
    b.text(1, 1120, 345, "target", size=18, colour=RED)
    rows = (
        (410, "is given", "the [M] sat on the mat", "the cat sat", "the <0> the mat"),
        (460, "predicts", "cat (15 % of tokens)", "on, at every place", "<0> cat sat on <1>"),
        (510, "is good at", "reading: a vector per token", "writing on", "text in, text out"),
    )
    for y, what, *said in rows:
        b.text(0, 40, y, what, size=20, colour=GREY, anchor="start")
        for x, words, colour in zip((300, 660, 1020), said, (BLUE, GREEN, RED), strict=True):
            b.text(2, x, y, words, size=22, colour=colour)
    b.text(2, 600, 558, "LLaMA = GPT with RoPE, RMSNorm, SwiGLU and fewer key-value heads", size=22)
    return b


def flash() -> Board:
    """Tiles in fast memory, with a running maximum."""
    b = Board("FlashAttention: the same sum, tile by tile")
    b.box(0, 150, 300, 210, 360, "", dashed=True)
    b.text(0, 150, 106, "slow memory (HBM)", size=22, colour=GREY)
    for y, name, colour in ((180, "Q", BLUE), (300, "K, V", GREEN), (420, "output", RED)):
        b.box(0, 150, y, 150, 74, name, colour=colour)
    b.box(0, 850, 300, 620, 360, "", dashed=True)
    b.text(0, 850, 106, "fast memory (SRAM): room for M numbers", size=22, colour=GREY)
    b.arrow(1, (228, 180), (590, 180), colour=BLUE)
    b.text(1, 400, 165, "a block of rows", size=20, colour=BLUE)
    b.arrow(1, (228, 300), (590, 300), colour=GREEN)
    b.text(1, 400, 285, "a block of keys", size=20, colour=GREEN)
    b.cells(1, 610, 150, 46, [[0.5, 0, 0, 0], [0.5, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]])
    b.text(1, 702, 365, "scores: one tile at a time", size=20)
    b.text(2, 985, 180, "m: the largest score so far", size=22, colour=BLUE)
    b.text(2, 985, 220, "ℓ: the sum of e^score−m^", size=22, colour=BLUE)
    b.text(2, 985, 260, "o: the mixture so far", size=22, colour=BLUE)
    b.text(2, 985, 312, "a larger m comes:", size=22, colour=RED)
    b.text(2, 985, 346, "ℓ and o times e^old − new^", size=22, colour=RED)
    b.arrow(2, (590, 420), (232, 420), colour=RED)
    b.text(2, 402, 405, "o / ℓ, once", size=20, colour=RED)
    b.text(2, 600, 525, "exact; n × n is never stored; traffic falls, FLOPs do not", size=24)
    b.text(2, 600, 562, "traffic  2·n·d + ⌈n / ⌈M/4d⌉⌉ · 3·n·d  instead of  4·n·d + 4n²", size=22, colour=GREY)
    return b


def mamba_moe() -> Board:
    """A state that chooses, and experts that are chosen."""
    b = Board("Two ways out: a choosing state, chosen experts")
    b.add(0, f'<line x1="600" y1="96" x2="600" y2="560" stroke="{GREY}" stroke-width="2" stroke-dasharray="6 6"/>')
    b.text(0, 300, 120, "Mamba: instead of attention", size=24, colour=BLUE, weight=600)
    b.text(0, 900, 120, "MoE: instead of one FFN", size=24, colour=GREEN, weight=600)
    for i, x in enumerate((110, 300, 490)):
        b.box(0, x, 450, 90, 54, f"x_{i + 1}_")
        b.box(1, x, 290, 100, 60, f"h_{i + 1}_", colour=BLUE)
        b.arrow(1, (x, 422), (x, 324))
        if i:
            b.arrow(1, (x - 140, 290), (x - 54, 290), colour=BLUE)
            b.text(2, x - 96, 274, "ā", size=24, colour=RED)
        b.arrow(2, (x, 259), (x, 205), colour=BLUE)
        b.text(2, x, 192, f"y_{i + 1}_", size=24)
        b.text(2, x + 22, 384, "b̄", size=24, colour=RED, anchor="start")
    b.text(2, 300, 520, "δ, b, c come from x: keep or forget", size=22, colour=RED)
    b.text(2, 300, 555, "time n, state of fixed size", size=22, colour=BLUE)
    b.box(0, 700, 290, 110, 60, "token")
    b.box(1, 860, 290, 120, 60, "router", colour=RED)
    b.arrow(1, (757, 290), (796, 290))
    for i, y in enumerate((170, 250, 330, 410)):
        used = i in (0, 2)
        b.box(1, 1060, y, 150, 56, f"expert {i + 1}", colour=GREEN if used else GREY, dashed=not used, size=22)
        if used:
            b.arrow(1, (922, 290), (982, y), colour=GREEN)
            b.text(2, 1150, y + 9, "0.7" if i == 0 else "0.3", size=22, colour=GREEN, anchor="start")
    b.text(2, 900, 480, "stored: all experts; computed: k of them", size=22, colour=GREEN)
    b.text(2, 900, 518, "all tokens to one expert? a loss E Σ f P,", size=22, colour=RED)
    b.text(2, 900, 552, "or a bias that moves against the load", size=22, colour=RED)
    return b


def finetune() -> Board:
    """From text to an assistant, and what LoRA adds."""
    b = Board("From text to an assistant, and the cheap way")
    for x, name, colour in ((170, "pretraining", BLUE), (490, "fine-tuning (SFT)", GREEN)):
        b.box(0, x, 130, 270, 56, name, colour=colour, size=24)
    b.arrow(0, (308, 130), (350, 130))
    b.text(1, 170, 200, "the cat sat on", size=24)
    b.text(1, 170, 238, "cat sat on the", size=24, colour=BLUE)
    b.text(1, 170, 280, "labels: shifted by one", size=20, colour=BLUE)
    b.text(1, 490, 200, "where is hana? in the mill.", size=24)
    b.text(1, 490, 238, "–  –  –  in the mill.", size=24, colour=GREEN)
    b.text(1, 490, 280, "labels: −100 on the prompt", size=20, colour=GREEN)
    b.box(0, 960, 185, 180, 180, "W\nfrozen", colour=GREY)
    b.text(0, 960, 310, "d × k", size=20, colour=GREY)
    b.text(1, 1075, 195, "+", size=40)
    b.box(1, 1110, 185, 34, 180, "", colour=RED)
    b.box(1, 1160, 112, 60, 34, "", colour=RED)
    b.text(1, 1110, 310, "B", size=24, colour=RED)
    b.text(1, 1160, 165, "A", size=24, colour=RED)
    b.text(2, 960, 365, "W + (α/r) B A", size=30, colour=RED)
    b.text(2, 960, 405, "B = 0 at first: nothing has changed", size=22, colour=RED)
    b.text(2, 960, 440, "merged at the end: the layer is as before", size=22, colour=RED)
    b.text(2, 330, 350, "one loss: the next token", size=26, colour=INK)
    b.text(2, 330, 392, "what differs is which tokens count", size=24, colour=INK)
    b.text(
        2,
        600,
        510,
        "Adam keeps 2 numbers per trained weight: few trained weights, little memory",
        size=24,
        colour=BLUE,
    )
    b.text(2, 600, 550, "price: what was known before may be forgotten", size=24, colour=BLUE)
    return b


def preferences() -> Board:
    """Two ways from comparisons to a policy."""
    b = Board("From comparisons to a policy: two ways")
    b.box(0, 170, 290, 240, 110, "comparisons\ny_w_ better than y_l_")
    b.box(1, 500, 180, 210, 70, "reward model r", colour=BLUE)
    b.arrow(1, (292, 265), (393, 190), colour=BLUE)
    b.text(1, 500, 245, "−log σ(r_w_ − r_l_)", size=22, colour=BLUE)
    b.box(1, 800, 180, 190, 70, "PPO", colour=BLUE)
    b.arrow(1, (607, 180), (703, 180), colour=BLUE)
    b.text(1, 800, 245, "reward − β · KL", size=22, colour=BLUE)
    b.text(1, 650, 112, "RLHF: three models and a loop", size=22, colour=BLUE)
    b.box(0, 1080, 290, 170, 90, "policy π")
    b.arrow(1, (897, 195), (992, 258), colour=BLUE)
    b.box(2, 650, 405, 260, 70, "DPO: one loss", colour=GREEN)
    b.arrow(2, (292, 315), (518, 392), colour=GREEN)
    b.arrow(2, (782, 392), (992, 322), colour=GREEN)
    b.text(2, 650, 472, "−log σ(β log π/π_ref_ of y_w_ − β log π/π_ref_ of y_l_)", size=22, colour=GREEN)
    b.text(2, 600, 522, "same optimum: π* ∝ π_ref_ · e^r/β^   (if the comparisons cover it)", size=24)
    b.text(2, 600, 562, "β small: the reward model is pushed to where it is wrong", size=24, colour=RED)
    return b


def group_relative() -> Board:
    """A group of answers, a rule, and the group's mean as the baseline."""
    b = Board("GRPO: the group is the baseline")
    b.box(0, 130, 290, 180, 70, "17 + 25 = ?")
    rewards = ((150, "42", "1"), (240, "41", "0.1"), (330, "42", "1"), (420, "…", "0"))
    for y, answer, reward in rewards:
        b.box(0, 400, y, 130, 56, answer if answer != "…" else "no tag")
        b.arrow(0, (222, 290), (330, y), colour=GREY)
        b.text(1, 560, y + 9, f"r = {reward}", size=24, colour=BLUE)
    b.text(1, 560, 112, "rule, no model", size=22, colour=BLUE)
    for (y, _, reward), words in zip(rewards, ("+1.00", "−0.89", "+1.00", "−1.10"), strict=True):
        good = reward == "1"
        b.box(2, 760, y, 150, 56, words, colour=GREEN if good else RED)
        b.arrow(2, (612, y), (680, y))
    b.text(2, 760, 112, "(r − mean) / std", size=22)
    b.text(2, 1010, 190, "every token of an", size=22)
    b.text(2, 1010, 220, "answer gets the same", size=22)
    b.text(2, 1010, 270, "ratio clipped, as in PPO", size=22)
    b.text(2, 1010, 300, "− β · KL to the reference", size=22)
    b.text(2, 1010, 350, "no value network", size=22, colour=BLUE)
    b.text(2, 600, 510, "all right or all wrong: advantage 0, nothing is learned", size=24, colour=RED)
    b.text(2, 600, 552, "mean per sequence: a token of a long answer weighs less (Dr. GRPO, DAPO)", size=24, colour=RED)
    return b
