"""Quiz of chapter 08."""

from ..quiz import Option, Question

QUESTIONS = [
    Question(
        "Logits have the shape (B, T, V). Which token do the scores at position t speak about, in a causal model?",
        [
            Option("Token t", "The model has read token t already; predicting it is copying."),
            Option("Token t + 1", "Scores at t use tokens 1 … t and are about the one that follows."),
            Option("Token t − 1", "That one lies in the past; no loss asks for it."),
        ],
        right=1,
    ),
    Question(
        "A language model with a vocabulary of 50,000 has perplexity 20. What does that mean?",
        [
            Option(
                "It is right once in 20 tokens.",
                "Perplexity is no accuracy; the likeliest token may be right more often.",
            ),
            Option("Its loss is 20 nats.", "Its loss is ln 20 ≈ 3.0 nats."),
            Option(
                "On average the text is as hard to guess for it as a choice among 20 equally likely tokens.",
                "exp of the mean of −ln p is a geometric mean of 1/p.",
            ),
        ],
        right=2,
    ),
    Question(
        "BERT selects 15 % of the tokens. Which share of the text does it see as [MASK]?",
        [
            Option("15 %", "Only 80 % of the selected ones are replaced by [MASK]."),
            Option("12 %", "0.8 × 15 %; 1.5 % become random tokens and 1.5 % stay as they are."),
            Option("1.5 %", "That is the share of random tokens, and of unchanged ones."),
        ],
        right=1,
    ),
    Question(
        "Why does Adam divide its means by 1 − βᵗ?",
        [
            Option(
                "To make the learning rate decay",
                "The schedule does that. The divisor grows to 1 and then does nothing.",
            ),
            Option("To keep the weights small", "That is the task of weight decay."),
            Option(
                "Both means start at 0 and have collected only that much of their weight after t steps.",
                "Without it the first step would be about 3.2 times as long with the usual betas.",
            ),
        ],
        right=2,
    ),
    Question(
        "What is the difference between AdamW and Adam with L2 in the gradient?",
        [
            Option(
                "None, for the right strength",
                "For plain SGD they agree; Adam rescales what passes through the gradient.",
            ),
            Option(
                "In AdamW the decay is not divided by √v.",
                "So weights with large gradients decay as much as those with small ones.",
            ),
            Option("AdamW does not decay biases.", "That is a matter of parameter groups, with either of them."),
        ],
        right=1,
    ),
    Question(
        "Micro-batches hold 100, 100 and 4 targets. Each part's mean loss is divided by 3 and its "
        "gradient added. What is wrong?",
        [
            Option("Nothing; this is gradient accumulation.", "Only where all parts have the same number of targets."),
            Option("The gradient is 3 times too large.", "It has about the right size; its composition is wrong."),
            Option(
                "A target in the third part weighs 25 times as much as one in the first.",
                "1/4 against 1/100. Sum the losses, and divide by the 204 targets at the end.",
            ),
        ],
        right=2,
    ),
    Question(
        "The padding token is the end token. Labels are −100 wherever input_ids equals it. What will the model do?",
        [
            Option("Write on after its answer", "It has never been asked to write the end."),
            Option("Stop too early", "It is never taught to stop at all."),
            Option("Learn as well as without the bug", "The loss looks fine, which makes the bug hard to see."),
        ],
        right=0,
    ),
    Question(
        "Three conversations are packed into one row, with learned absolute positions. The mask is "
        "right. What else is needed?",
        [
            Option(
                "A special token between them",
                "They have end tokens; what matters is which positions they are read at.",
            ),
            Option(
                "Positions that start again in each of them", "Else the second is read as if it began in the middle."
            ),
            Option("Shorter rows", "The length is not the problem."),
        ],
        right=1,
    ),
    Question(
        "In LoRA, B is zero and A random. Which gradient is zero at the first step?",
        [
            Option("That of A", "It is a product with B. From the second step on A moves too."),
            Option("That of B", "It is a product with A x, which is not zero."),
            Option("Both", "That is the case when both factors are zero, and then nothing ever moves."),
            Option("Neither", "A's gradient contains B as a factor."),
        ],
        right=0,
    ),
    Question(
        "What does LoRA save most?",
        [
            Option(
                "Time in the forward pass", "The frozen weights are used as before; unmerged factors even add a little."
            ),
            Option("Memory for gradients and Adam's means", "They exist for the factors alone."),
            Option("Time at inference", "Merged it costs the same as the old model; unmerged a little more."),
        ],
        right=1,
    ),
    Question(
        "Five models, one run each, lie on a straight line in a log–log plot. What has been shown?",
        [
            Option("A law that will hold for models a thousand times larger", "Nothing was measured there."),
            Option("That the loss has no floor", "The floor was subtracted, or is too low to be seen in this range."),
            Option(
                "That a power law describes these sizes; how well it predicts must be tested on a "
                "size that was left out",
                "And over several seeds, since a single run can lie off the line.",
            ),
        ],
        right=2,
    ),
]
