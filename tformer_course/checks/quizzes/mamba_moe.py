"""Quiz of chapter 07."""

from ..quiz import Option, Question

QUESTIONS = [
    Question(
        "The step δ of a token tends to 0. What does Mamba's scan do with this token?",
        [
            Option(
                "It keeps the state and lets nothing in.",
                "ā = exp(δa) tends to 1 and b̄ = δb to 0: the token is skipped.",
            ),
            Option("It forgets the past.", "That is what a long step does: exp(δa) tends to 0."),
            Option("It divides by 0.", "Only a careless formula for the exact hold does. The limit is harmless."),
        ],
        right=0,
    ),
    Question(
        "Why can S4 be trained by FFT, and Mamba not?",
        [
            Option("Mamba's states are too large.", "The size does not matter here; S4's are as large."),
            Option(
                "Mamba's kernel depends on the input.",
                "One fixed kernel is a convolution. A kernel per position is not.",
            ),
            Option("FFT needs complex numbers.", "It does, inside; S4 with real numbers uses it all the same."),
        ],
        right=1,
    ),
    Question(
        "Steps (a₁, b₁) and then (a₂, b₂) of h ↦ ah + b together are …",
        [
            Option("(a₁a₂, a₁b₂ + b₁)", "This is the other order: step 2 first."),
            Option("(a₁ + a₂, b₁ + b₂)", "Maps are composed, not added."),
            Option("(a₁a₂, a₂b₁ + b₂)", "b₁ is in the state when the second step multiplies it by a₂."),
        ],
        right=2,
    ),
    Question(
        "How many sweeps does an associative scan over 4,096 positions need?",
        [
            Option("12", "log₂ 4,096: the covered past doubles in each sweep."),
            Option("64", "That is √4,096, as for blocks of 64."),
            Option("4,096", "That is the loop."),
        ],
        right=0,
    ),
    Question(
        "In Mamba's block, how is it made sure that the convolution does not see the future?",
        [
            Option('By padding="same"', "Then it is centred, and sees the future."),
            Option(
                "By padding d_conv − 1 and keeping the first T outputs", "The first T of T + d_conv − 1 see the past."
            ),
            Option("By a causal mask", "A convolution has no scores that could be masked."),
        ],
        right=1,
    ),
    Question(
        "Mamba-2's matrix with all decays 1, each row divided by its sum, is …",
        [
            Option("softmax attention", "There is no exponential in it."),
            Option("a convolution", "Its entries depend on c_i and b_j, not only on i − j."),
            Option("causal linear attention", "Scores c·b, a causal mask, and a normaliser."),
        ],
        right=2,
    ),
    Question(
        "A layer has 64 experts, and a token uses 2. Against 2 experts alone, what grows by the factor 32?",
        [
            Option("The memory for the experts' weights", "All of them must be loaded, whoever is chosen."),
            Option("The computation per token", "It stays that of 2 experts, and a small router."),
            Option("The KV cache", "It belongs to attention, which does not change."),
        ],
        right=0,
    ),
    Question(
        "k = 1, and the softmax runs over the chosen logits alone. What goes wrong?",
        [
            Option("Nothing", "The outputs are fine, but something does not learn."),
            Option(
                "The weight is always 1, so the router gets no gradient.",
                "A softmax over one number is constant. Switch therefore weighs with the softmax over all experts.",
            ),
            Option("Each token needs two experts.", "One is enough: Switch has k = 1."),
        ],
        right=1,
    ),
    Question(
        "In the balancing loss E·Σ f_e P_e, where does the gradient flow?",
        [
            Option("Through f, the shares", "They are counts: a small change of a logit does not change them."),
            Option("Through both", "f is a constant for the gradient."),
            Option("Through P, the mean probabilities", "It lowers the probabilities of experts with a large f."),
        ],
        right=2,
    ),
    Question(
        "DeepSeek-V3 adds a bias per expert. Where does it act?",
        [
            Option("In the choice of the experts alone", "The weights come from the scores without it."),
            Option("In the choice and in the weights", "Then balancing would change the outputs: bug 3."),
            Option("In the loss", "It was made to do without a loss (a very small one is kept)."),
        ],
        right=0,
    ),
    Question(
        "Why is Mixtral 8×7B not 56B parameters large?",
        [
            Option("Two of eight experts are used.", "That gives the active count, 12.9B. All 46.7B are stored."),
            Option("Its experts share most weights.", "They share none. What exists once is the rest of the layer."),
            Option("Attention, norms and tables exist once.", "Only the feed-forward networks are there eight times."),
        ],
        right=2,
    ),
]
