"""Quiz of chapter 04."""

from ..quiz import Option, Question

QUESTIONS = [
    Question(
        "A pre-norm block gets x. What is added to the output of its attention branch?",
        [
            Option("x", "The stream itself; only the branch reads the normalised copy."),
            Option("norm1(x)", "Then the stream would be normalised in every block, and its sum would be lost."),
            Option("norm2(x)", "norm2 belongs to the feed-forward branch."),
            Option("Nothing; the branch replaces x.", "Then a block that has learned nothing would erase its input."),
        ],
        right=0,
    ),
    Question(
        "Which numbers does LayerNorm average, for x of shape (B, T, C)?",
        [
            Option("All B·T values of one feature", "That is batch normalisation. LayerNorm never mixes samples."),
            Option("The C entries of one token", "Each token has its own mean and variance, over its own entries."),
            Option("All T·C entries of one sample", "Then a token would depend on its neighbours, also on later ones."),
        ],
        right=1,
    ),
    Question(
        "What does RMSNorm leave out, compared with LayerNorm?",
        [
            Option("The division", "Both divide by a size; RMSNorm by the root mean square."),
            Option("eps", "Both need it: a zero vector would give 0/0."),
            Option("The subtraction of the mean, and the bias", "One pass and C parameters less."),
            Option("The gain", "RMSNorm has a gain too."),
        ],
        right=2,
    ),
    Question(
        "A GELU network of width 4d is replaced by SwiGLU of width 4d. How does its number of parameters change?",
        [
            Option("+33 %", "That is the whole block, attention included."),
            Option("+50 %", "Three matrices d × 4d in place of two. At width 8d/3 it would be 0 %."),
            Option("0 %", "Only at width 8d/3."),
            Option("+100 %", "One matrix is added to two."),
        ],
        right=1,
    ),
    Question(
        "Twelve blocks at initialisation: where are post-norm's gradients much larger than pre-norm's?",
        [
            Option("Near the input", "There the two are nearly alike (section 5)."),
            Option("Near the output", "Two to three times, as section 5 measures and Xiong et al. (2020) derive."),
            Option("Everywhere by the same factor", "The factor grows from the input to the output."),
        ],
        right=1,
    ),
    Question(
        "He's initialisation and ReLU: which quantity of the outputs stays at 1?",
        [
            Option("The mean square", "It is what the next layer's variance depends on."),
            Option("The variance", "It is 1 − 1/π ≈ 0.68, because the outputs have a mean."),
            Option("The mean", "The mean of the outputs is 1/√π ≈ 0.56."),
        ],
        right=0,
    ),
    Question(
        "The stream of a pre-norm model starts with variance 1, and 24 branches of variance 1 are added. What is its "
        "variance?",
        [
            Option("1: the norms keep it there", "The norms stand in the branches. The stream is never normalised."),
            Option("25", "Variances of independent terms add up. Branches scaled by 1/√24 would end at 2."),
            Option("2²⁴", "That is what happens without norms, when a branch grows with the stream."),
        ],
        right=1,
    ),
    Question(
        "What is dropped by DropPath, with one coin?",
        [
            Option("One number", "That is ordinary dropout."),
            Option("One token's vector", "All tokens of a sample share the fate of the branch."),
            Option("A whole branch, for one sample", "And what is kept is divided by 1 − p."),
            Option("A whole branch, for the whole batch", "Each sample has its own coin."),
        ],
        right=2,
    ),
    Question(
        "In cross-attention, where do queries, keys and values come from?",
        [
            Option("All from the target", "That is self-attention."),
            Option("Queries from the target, keys and values from the memory", "Who needs something, asks."),
            Option("Queries from the memory, keys and values from the target", "The wrong way round."),
        ],
        right=1,
    ),
    Question(
        "A sequence-to-sequence model reaches loss 0 in training and writes nonsense in use. What do you check first?",
        [
            Option("The learning rate", "The loss is 0 already; something else is off."),
            Option("Whether logits depend on later target tokens", "Without the causal mask it copies its answers."),
            Option("The number of heads", "It cannot make training easy and use impossible."),
        ],
        right=1,
    ),
]
