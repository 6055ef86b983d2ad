"""Quiz of chapter 02."""

from ..quiz import Option, Question

QUESTIONS = [
    Question(
        "A layer of width 512 goes from 8 heads to 16. What happens to its number of parameters?",
        [
            Option("It doubles.", "Each of the 16 heads is half as wide, so the four matrices keep their size."),
            Option(
                "It stays the same.", "The heads share one width: 16 · 32 = 8 · 64. Four 512 × 512 matrices remain."
            ),
            Option("It is halved.", "One head becomes smaller, but there are twice as many."),
        ],
        right=1,
    ),
    Question(
        "`x` has shape (2, 5, 12). What does `x.view(2, 3, 5, 4)` give?",
        [
            Option(
                "Three heads of width 4, as wanted.", "The shape is right, the contents are not: view never moves data."
            ),
            Option("An error.", "2 · 3 · 5 · 4 = 120 = 2 · 5 · 12, so view accepts it. That is the danger."),
            Option(
                "Pieces of several tokens in one head.",
                "Memory is read in order, token by token. Cut the last axis first, then exchange two axes.",
            ),
        ],
        right=2,
    ),
    Question(
        "A model has 9 query heads and 3 key-value heads. Which key-value head serves query head 4 (counted from 0)?",
        [
            Option("Head 0", "Head 0 serves the query heads 0, 1 and 2."),
            Option("Head 1", "Groups of three neighbours: 4 // 3 = 1. This is `repeat_interleave`."),
            Option(
                "Head 1, because 4 % 3 = 1", "The head is right by luck: with `%`, query head 1 would get head 1 too."
            ),
        ],
        right=1,
    ),
    Question(
        "You pass a boolean mask with True = may attend to `nn.MultiheadAttention` as `attn_mask`. What happens?",
        [
            Option(
                "It works: both use True = may attend.", "`F.scaled_dot_product_attention` does; this class does not."
            ),
            Option("torch raises an error.", "Both signs are booleans of the right shape. torch cannot know."),
            Option(
                "The allowed keys are blocked, and a row that may attend to all becomes NaN.",
                "True means blocked here. Pass `~mask`, and look at one row.",
            ),
        ],
        right=2,
    ),
    Question(
        "Why is the rank of one head's score matrix at most D = C / H?",
        [
            Option(
                "The scores are q kᵀ, and q has D columns.", "The rank of a product is at most the rank of each factor."
            ),
            Option(
                "Softmax lowers the rank.",
                "The bound holds for the scores, before softmax. Softmax can raise the rank.",
            ),
            Option("The text has only D tokens.", "A text may have any length; n > D is the interesting case."),
        ],
        right=0,
    ),
    Question(
        "Your forward hook on BERT's attention finds `None` where the weights should be. Why?",
        [
            Option(
                "`output_attentions=True` is missing.",
                "With eager attention the hook finds weights without the flag too.",
            ),
            Option(
                "The model runs a fused kernel (sdpa), which never forms the weights.",
                "Load it with `attn_implementation='eager'`.",
            ),
            Option(
                "The hook came too late.", "A forward hook runs after each forward; it was called, and got the pair."
            ),
        ],
        right=1,
    ),
    Question(
        "What does a second softmax do to a row of attention weights over 128 keys?",
        [
            Option(
                "Nothing: the row already sums to one.", "Softmax is not a division by the sum; it takes exp first."
            ),
            Option("It makes the row sharper.", "Weights lie between 0 and 1, so their exps lie between 1 and e."),
            Option(
                "It makes the row almost even: no weight can exceed about 0.021.",
                "The largest possible weight is e / (e + 127). Zeros of a causal mask come back to life, too.",
            ),
        ],
        right=2,
    ),
    Question(
        "In most layers of a LLaMA the first token takes more than half of the weight. What should you conclude first?",
        [
            Option("The first word is the most important one.", "Replace it by any other word: the stripe stays."),
            Option(
                "It is a sink: softmax must put its 1 somewhere.",
                "Its values are short. Compare weight × length of the value, or leave the token out.",
            ),
            Option(
                "The model is damaged.", "Healthy models show it. So thresholds like 'max weight < 0.95' flag them all."
            ),
        ],
        right=1,
    ),
    Question(
        "Switching off head 7 of layer 3 changes the loss by 0.0003. What does that show?",
        [
            Option("The head does nothing.", "It may do much that other heads do as well: redundancy hides it."),
            Option(
                "The model does not miss this one head on this text.",
                "Others may step in, and another text may need it. Remove several at once to learn more.",
            ),
            Option("The head's map is flat.", "A sharp map can be without effect, and a flat one can matter."),
        ],
        right=1,
    ),
    Question(
        "Twelve pure attention layers make all tokens alike. Which change prevents it?",
        [
            Option(
                "Noise of size 0.01 on the queries",
                "It moves the weights a little. Means of means still approach one value.",
            ),
            Option(
                "1e-4 on the diagonal of the scores", "The weights move by about 1e-5. Only the measured rank changes."
            ),
            Option(
                "A residual connection around each layer",
                "x itself is carried along, so tokens stay apart. Dong et al. prove it.",
            ),
        ],
        right=2,
    ),
]
