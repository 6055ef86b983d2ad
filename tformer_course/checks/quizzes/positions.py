"""Quiz of chapter 03."""

from ..quiz import Option, Question

QUESTIONS = [
    Question(
        "A self-attention layer has no position encoding and no mask. You shuffle its input tokens. What comes out?",
        [
            Option(
                "The same vectors in the old order.", "Each output belongs to its query, so it moves with its token."
            ),
            Option("The same vectors, shuffled in the same way.", "This is permutation equivariance."),
            Option("Entirely different vectors.", "That would need something that knows positions, such as a mask."),
        ],
        right=1,
    ),
    Question(
        "Why can a decoder without any position encoding still learn about order?",
        [
            Option("Its embeddings hold positions.", "An embedding knows the word, not the place."),
            Option(
                "The causal mask shows each token another number of keys.",
                "The first token sees one key, the tenth sees ten; layers can count.",
            ),
            Option("Softmax sorts the keys.", "Softmax treats all keys alike."),
        ],
        right=1,
    ),
    Question(
        "With d = 512, which pair of the sinusoidal encoding turns fastest, and how fast?",
        [
            Option("Pair 0, one radian per position.", "10000 to the power 0 is 1, for every width."),
            Option("Pair 255, 10000 radians per position.", "The exponent is negative: later pairs are slower."),
            Option("All pairs turn equally fast.", "Then 512 columns would tell no more than 2."),
        ],
        right=0,
    ),
    Question(
        "Why does each frequency need both a sine and a cosine?",
        [
            Option("To keep the numbers between −1 and 1.", "A sine alone would stay there as well."),
            Option(
                "With both, a shift by k is one fixed matrix, the same at every position.",
                "It is a rotation of the pair, by the addition theorems.",
            ),
            Option("Because d must be even.", "That is a consequence, not a reason."),
        ],
        right=1,
    ),
    Question(
        "A colleague adds +½·k·(i − j)² with k = 0.01 to the scores of 512 tokens. What happens?",
        [
            Option("Far tokens are suppressed.", "Softmax prefers large scores, and far tokens get the largest ones."),
            Option("Almost nothing, since 0.01 is small.", "0.01 · 511² / 2 is 1,306."),
            Option("Each query attends to the far end of the text.", "The sign turns a spring into its opposite."),
        ],
        right=2,
    ),
    Question(
        "Which vectors does RoPE rotate?",
        [
            Option("Queries, keys and values.", "A rotated value would carry its absolute position into the output."),
            Option("The embeddings, once, before the first layer.", "That is where sinusoids enter, by addition."),
            Option("Queries and keys, in every layer.", "So the score depends on the difference of the two positions."),
        ],
        right=2,
    ),
    Question(
        "You load weights trained with interleaved RoPE into a model with half-split RoPE. What do you see?",
        [
            Option("An error: shapes differ.", "The shapes are the same. That is why this bug is expensive."),
            Option("No error, and bad text.", "The pairs are wrong. Reordering columns of W_q and W_k repairs it."),
            Option("Nothing: the layouts are equal.", "Each is right by itself; weights and rotation must agree."),
        ],
        right=1,
    ),
    Question(
        "ALiBi has 8 heads with slopes ½ … 1/256. What does the flattest head do at a distance of 1,000,000?",
        [
            Option("It reads that token as well as any other.", "Its bias there is −3,906."),
            Option("It gives it the weight 0.", "exp(−3,906) is 0 in any floating-point format of the course."),
            Option("It fails with an error.", "A bias is defined at any distance; the weight is what vanishes."),
        ],
        right=1,
    ),
    Question(
        "A RoPE model was trained at 64 tokens. Why does it fail at 1,024 although RoPE is relative?",
        [
            Option("Positions above 63 have no table row.", "That is a learned table. Angles exist at any position."),
            Option("Rounding errors add up.", "SmolLM2 keeps its logits when all positions move by 100,000."),
            Option(
                "Distances above 63 turn slow pairs to angles that no weight has met.",
                "Relative means: equal distances, equal scores. It says nothing about new distances.",
            ),
        ],
        right=2,
    ),
    Question(
        "Position interpolation with factor 4 and no further training: what is hurt most?",
        [
            Option("Far tokens.", "Their angles are back in the known range."),
            Option(
                "Telling neighbours apart.", "They stand a quarter of a position apart, which training never showed."
            ),
            Option("The values.", "RoPE does not touch them."),
        ],
        right=1,
    ),
    Question(
        "YaRN leaves fast pairs as they are. Why is that safe?",
        [
            Option(
                "They made many whole turns in training, so they have met every angle.", "A longer text repeats them."
            ),
            Option("They matter little.", "They tell neighbours apart, which matters most."),
            Option("Their frequency is above 1.", "The fastest pair turns by exactly 1 radian per position."),
        ],
        right=0,
    ),
    Question(
        "Model A has the perplexity 3.4 at 64 and at 1,024 tokens in view. What does that prove?",
        [
            Option("It uses the far text.", "A model that ignores it has a flat curve too."),
            Option("The far text does not hurt it.", "That is all. Exchange the far text to see whether it is read."),
            Option("It is better than a model with 3.2 and 40.", "At 64 tokens the other one is better."),
        ],
        right=1,
    ),
]
