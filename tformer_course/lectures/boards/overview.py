"""The five boards of the overview; the first four serve chapters 01 to 04 as well."""

from __future__ import annotations

from tformer_course.lectures.boards.drawing import BLUE, GREEN, GREY, INK, RED, Board


def attention() -> Board:
    """Board 1: from x to q, k, v, to weights, to the mixture."""
    b = Board("Attention: softmax(QK^ᵀ^ / √d_k_) V")
    for i, word in enumerate(("the", "cat", "slept")):
        b.box(0, 110, 170 + i * 100, 120, 56, word)
    b.text(0, 110, 124, "tokens X", colour=GREY)
    for y, name, colour, said in (
        (150, "Q = X W_Q_", BLUE, "what do I look for?"),
        (270, "K = X W_K_", GREEN, "what do I offer?"),
        (390, "V = X W_V_", RED, "what do I give?"),
    ):
        b.box(1, 340, y, 170, 62, name, colour=colour)
        b.text(1, 340, y + 58, said, size=20, colour=colour)
        b.arrow(1, (175, 270), (250, y), colour=colour)
    b.text(0, 640, 120, "weights: one row per query", size=22, colour=GREY)
    b.cells(0, 550, 140, 62, [[0] * 3] * 3)
    b.cells(1, 550, 140, 62, [[0.9, 0, 0], [0.25, 0.7, 0], [0.1, 0.65, 0.2]])
    b.text(1, 643, 362, "each row sums to 1", size=22)
    b.arrow(1, (428, 150), (540, 190), colour=BLUE)
    b.arrow(1, (428, 270), (540, 250), colour=GREEN)
    b.box(2, 905, 232, 190, 70, "weights · V", colour=RED)
    b.arrow(2, (746, 232), (805, 232))
    b.arrow(2, (428, 395), (905, 395), (905, 272), colour=RED)
    b.box(2, 1095, 232, 120, 70, "output")
    b.arrow(2, (1002, 232), (1030, 232))
    b.text(
        2,
        600,
        488,
        "divide by √d_k_: otherwise the scores have variance d_k_ and softmax saturates",
        size=24,
        colour=BLUE,
    )
    b.text(2, 600, 524, "mask: a forbidden score becomes −∞, before softmax", size=24, colour=BLUE)
    b.text(2, 600, 560, "time n² d, memory n²; n is the length", size=24, colour=BLUE)
    return b


def multi_head() -> Board:
    """Board 2: cut, attend side by side, put together."""
    b = Board("Multi-head: cut, attend, join")
    b.box(0, 130, 290, 180, 300, "X\n(n, 512)")
    tops = (135, 235, 335, 425)
    for i, y in enumerate(tops):
        if i == 2:
            b.text(1, 440, y + 16, "⋮", size=40)
            continue
        name = ("head 1", "head 2", "", "head 8")[i]
        b.box(1, 440, y, 190, 62, name, colour=BLUE)
        b.arrow(1, (222, 290), (340, y), colour=BLUE)
        b.text(1, 440, y + 52, "64 wide", size=18, colour=BLUE)
        b.arrow(2, (537, y), (655, 290), colour=GREEN)
    b.text(0, 130, 470, "8 heads: 512 / 8 = 64", size=22, colour=GREY)
    b.box(2, 730, 290, 140, 300, "join\n(n, 512)", colour=GREEN)
    b.box(2, 920, 290, 120, 110, "W_O_", colour=RED, size=32)
    b.arrow(2, (802, 290), (855, 290))
    b.box(2, 1090, 290, 130, 110, "output\n(n, 512)")
    b.arrow(2, (982, 290), (1020, 290))
    b.text(2, 600, 510, "same parameters, same FLOPs as one head of 512: 4 d² and 4 n² d", size=24, colour=BLUE)
    b.text(2, 600, 550, "more heads is not better: each gets narrower", size=24, colour=BLUE)
    return b


def positions() -> Board:
    """Board 3: three ways to say where a token stands."""
    b = Board("Positions: added, turned, or a bias")
    for x, name in ((210, "sinusoids"), (600, "RoPE"), (990, "ALiBi")):
        b.box(0, x, 125, 230, 56, name)
    b.text(1, 210, 200, "x_p_ + PE(p)", size=30, colour=BLUE)
    b.text(1, 210, 245, "sin and cos of p·ω_i_", size=24)
    b.text(1, 210, 280, "ω_i_ = 10000^−2i/d^", size=24)
    b.text(1, 600, 200, "q_m_ = R_m_ q,  k_n_ = R_n_ k", size=28, colour=BLUE)
    for angle_end, label, colour in (((700, 300), "k at n", GREEN), ((655, 232), "q at m", BLUE)):
        b.arrow(1, (530, 350), angle_end, colour=colour)
        b.text(1, angle_end[0] + 45, angle_end[1] + 8, label, size=22, colour=colour)
    b.text(2, 600, 400, "⟨q_m_, k_n_⟩ depends on m − n alone", size=24, colour=RED)
    b.text(1, 990, 200, "score − slope · (i − j)", size=28, colour=BLUE)
    b.cells(1, 905, 225, 42, [[1, 0, 0, 0], [0.6, 1, 0, 0], [0.3, 0.6, 1, 0], [0.1, 0.3, 0.6, 1]], colour=GREEN)
    b.text(2, 210, 350, "a shift is a rotation", size=24, colour=RED)
    b.text(2, 210, 385, "of every pair", size=24, colour=RED)
    b.text(2, 990, 430, "no parameter;", size=24, colour=RED)
    b.text(2, 990, 462, "each head its own slope", size=24, colour=RED)
    b.arrow(0, (60, 500), (1140, 500), colour=GREY, head=False)
    b.text(0, 60, 545, "longer than trained?", size=24, colour=GREY, anchor="start")
    b.text(2, 330, 545, "angles unseen: fails", size=22, anchor="start")
    b.text(2, 570, 545, "rescale θ (NTK, YaRN)", size=22, anchor="start")
    b.text(2, 870, 545, "works, but looks near", size=22, anchor="start")
    return b


def block() -> Board:
    """Board 4: the pre-norm block with its two branches, and where the 2017 order differs."""
    b = Board("The block: x + branch(norm(x)), twice")
    b.arrow(0, (60, 250), (1140, 250))
    b.text(0, 75, 232, "x", size=32)
    b.text(0, 640, 300, "residual stream", size=22, colour=GREY)
    for left, name, colour in ((150, "attention", BLUE), (640, "FFN: d → 4d → d", GREEN)):
        b.arrow(1, (left, 250), (left, 140), (left + 30, 140), colour=colour)
        b.box(1, left + 85, 140, 110, 58, "norm", colour=colour)
        b.arrow(1, (left + 142, 140), (left + 170, 140), colour=colour)
        b.box(1, left + 275, 140, 210, 58, name, colour=colour, size=24)
        b.arrow(1, (left + 382, 140), (left + 420, 140), (left + 420, 232), colour=colour)
        b.add(1, f'<circle cx="{left + 420}" cy="250" r="17" fill="#fff" stroke="{INK}" stroke-width="2.5"/>')
        b.text(1, left + 420, 260, "+", size=30)
    b.text(2, 320, 350, "mixes tokens", size=24, colour=BLUE)
    b.text(2, 880, 350, "works on each token alone", size=24, colour=GREEN)
    b.text(2, 600, 420, "pre-norm (today): the stream is never normalised on its way, gradients pass", size=24)
    b.text(2, 600, 460, "post-norm (2017): norm after each +, needs warm-up", size=24)
    b.text(
        2,
        600,
        515,
        "encoder: no mask (BERT)  ·  decoder: causal mask (GPT, LLaMA)  ·  both, with cross-attention (T5)",
        size=22,
        colour=RED,
    )
    return b


def variants() -> Board:
    """Board 5: four axes, not four rivals."""
    b = Board("Variants: four different questions")
    rows = (
        ("How is attention computed?", "Flash: tiles in fast memory", "same numbers, less traffic", BLUE),
        (
            "What mixes the tokens?",
            "Mamba: a state that chooses",
            "h_t_ = ā_t_ h_t−1_ + b̄_t_ x_t_,  linear in n",
            GREEN,
        ),
        ("What is the FFN?", "MoE: some of many experts", "671B stored, 37B used per token", RED),
        ("How is it fine-tuned?", "LoRA: W + (α/r) B A", "W stays frozen; merged, it is gone", INK),
    )
    for i, (question, name, fact, colour) in enumerate(rows):
        y = 140 + i * 112
        b.box(0, 215, y, 350, 76, question, size=24)
        b.box(1, 605, y, 350, 76, name, colour=colour, size=23)
        b.arrow(1, (393, y), (425, y))
        b.text(2, 800, y + 9, fact, size=21, colour=colour, anchor="start")
    b.text(2, 600, 565, "they can be combined: a model may have all four", size=24, colour=BLUE)
    return b
