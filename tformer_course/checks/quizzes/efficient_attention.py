"""Quiz of chapter 06."""

from ..quiz import Option, Question

QUESTIONS = [
    Question(
        "A causal sliding window of 5: which keys does query 10 see?",
        [
            Option("5 to 10", "Those are six keys. The query's own position counts as one of the five."),
            Option("6 to 10", "0 ≤ i − j < 5: five keys, the last of them the query's own."),
            Option("8 to 12", "That is a two-sided window, and looks ahead."),
            Option("5 to 9", "The query's own position is missing."),
        ],
        right=1,
    ),
    Question(
        "How do the visible pairs of BigBird grow with n, for a fixed window, g global tokens and r random keys?",
        [
            Option("Like n²", "Only the global rows are full, and there are g of them."),
            Option("Like n·√n", "That is the Sparse Transformer's strided pattern."),
            Option("Like n", "Each other row sees about w + g + r keys, whatever n is."),
        ],
        right=2,
    ),
    Question(
        "You mask a full matrix of scores down to a window of 256. What have you saved?",
        [
            Option(
                "Nothing: the scores were computed and stored first", "Only scores that are never made save something."
            ),
            Option("Memory, but no time", "The n × n matrix was there before the mask came."),
            Option("Time, but no memory", "All products were computed."),
        ],
        right=0,
    ),
    Question(
        "All values are 1. Linear attention without its normaliser returns numbers around 1,000. Why?",
        [
            Option("The feature map overflows", "elu(x) + 1 is moderate; it is the sum over keys that is large."),
            Option(
                "Its weights do not sum to 1: they grow with the number of keys",
                "The denominator φ(q)·Σφ(k) is missing.",
            ),
            Option("The scores are not scaled by √D", "Linear attention has no such factor."),
        ],
        right=1,
    ),
    Question(
        "Which statement on Performer's features holds?",
        [
            Option("They reproduce softmax exactly for m = D", "They are random; no m is exact."),
            Option(
                "Their products are right on average; the spread falls like 1/√m",
                "Unbiased, and slow to become precise.",
            ),
            Option(
                "They may be negative, which is why a normaliser is needed", "They are exponentials, always positive."
            ),
        ],
        right=1,
    ),
    Question(
        "What does Linformer shorten?",
        [
            Option("The width of queries and keys", "D stays; e and f act along the sequence."),
            Option("The number of queries", "Each token still gets its output."),
            Option("The number of keys and values", "S of them are mixed into k_len, for one fixed length."),
        ],
        right=2,
    ),
    Question(
        "Online softmax: the maximum rises from 2 to 5. What happens to the old total?",
        [
            Option("It is multiplied by e³", "The reference grew, so terms measured against it get smaller."),
            Option("It is multiplied by e⁻³", "exp(m − m′) with m = 2, m′ = 5."),
            Option("It stays, and the new block is added", "Then terms with two different references are added."),
        ],
        right=1,
    ),
    Question(
        "What does FlashAttention keep for its backward pass?",
        [
            Option(
                "Inputs, output, and one logsumexp per row", "The weights of each tile are computed again from these."
            ),
            Option("All weights, in 16-bit numbers", "That would be the n × n matrix again."),
            Option("The weights of the last tile", "The other tiles need theirs too."),
        ],
        right=0,
    ),
    Question(
        "Which quantity does FlashAttention reduce?",
        [
            Option("FLOPs", "They stay 4n²d forward, and rise a little in the backward pass."),
            Option("Traffic to slow memory, from Θ(nd + n²) to Θ(n²d²/M)", "As long as d² is well below M."),
            Option("The number of parameters", "Attention's products have none."),
            Option("Rounding error", "It is equal up to rounding, neither better nor worse in principle."),
        ],
        right=1,
    ),
    Question(
        "An exported block runs at the example's length only. What was forgotten?",
        [
            Option("Evaluation mode", "That matters for dropout, not for sizes."),
            Option("To declare the length dynamic", "Every size that is not declared open becomes a constant."),
            Option("A longer example", "Any example's length would be frozen the same way."),
        ],
        right=1,
    ),
]
