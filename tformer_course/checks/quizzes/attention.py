"""Quiz of chapter 01."""

from ..quiz import Option, Question

QUESTIONS = [
    Question(
        "An encoder RNN gives the decoder one vector of fixed size. What does Bahdanau attention change?",
        [
            Option("The vector becomes larger.", "Its size stays fixed. What changes is that there is more than one."),
            Option("The encoder no longer runs step by step.", "It is still an RNN; only the reading has changed."),
            Option(
                "The decoder picks one encoder state.", "The choice is soft: a mean with weights, so gradients flow."
            ),
            Option(
                "Each output step gets its own weighted mean of all encoder states.",
                "The weights depend on the decoder's state, so each step reads what it needs.",
            ),
        ],
        right=3,
    ),
    Question(
        "`q` is (2, 5, 8), `k` is (2, 7, 8), `v` is (2, 7, 3). What shapes do output and weights have?",
        [
            Option("(2, 5, 8) and (2, 5, 5)", "The output is made of values, which are 3 wide, and there are 7 keys."),
            Option("(2, 7, 3) and (2, 7, 5)", "There is one output row per query, not per key."),
            Option("(2, 5, 3) and (2, 5, 7)", "One row per query; weights over 7 keys; a mean of values 3 wide."),
            Option(
                "None: the lengths differ.", "Queries may be fewer or more than keys. Only keys and values go in pairs."
            ),
        ],
        right=2,
    ),
    Question(
        "The entries of q and k are independent, with mean 0 and variance 1. Why is q·k divided by √d_k?",
        [
            Option(
                "The variance of q·k is d_k, so its standard deviation is √d_k.",
                "Divided by it, scores have unit spread.",
            ),
            Option(
                "The length of q is d_k.", "The length of q is about √d_k. The argument is about the spread of q·k."
            ),
            Option("It removes noise from high dimensions.", "It shrinks signal and noise alike."),
            Option(
                "Softmax needs inputs between −1 and 1.",
                "Softmax takes any real numbers. The point is how far they spread.",
            ),
        ],
        right=0,
    ),
    Question(
        "You forget the division by √d_k, with d_k = 1024. What is the first thing that goes wrong?",
        [
            Option("The weights no longer sum to 1.", "Softmax takes care of the sum, whatever the scores are."),
            Option(
                "exp overflows and gives NaN.", "torch.softmax subtracts the maximum first, so it does not overflow."
            ),
            Option(
                "Almost all weight goes to one key, and the gradient through softmax is nearly 0.",
                "This is saturation: softmax hardly reacts to the scores any more.",
            ),
        ],
        right=2,
    ),
    Question(
        "You apply a mask by multiplying the weights with it after the softmax. What happens?",
        [
            Option("Nothing is wrong.", "Look at the sums of the rows."),
            Option(
                "Rows sum to less than 1, and hidden keys still act through the denominator.",
                "So it also leaks the future.",
            ),
            Option(
                "The masked keys get weight after all.", "Their own weight is 0. It is the others that are too small."
            ),
        ],
        right=1,
    ),
    Question(
        "In a causal mask, what may the query at position 3 attend to (counted from 0)?",
        [
            Option("0, 1, 2", "A position may see itself; otherwise position 0 would have nothing at all."),
            Option("0, 1, 2, 3", "Itself and all that came before."),
            Option("3, 4, 5, …", "This is the future, which is what the mask hides."),
        ],
        right=1,
    ),
    Question(
        "A row of the mask is all False. What does softmax of its scores give, if they are all −inf?",
        [
            Option("Zeros", "This is what we want, but softmax computes 0 divided by 0."),
            Option("Equal weights", "This happens with a large negative number instead of −inf."),
            Option("NaN", "And it spreads: also the gradient of V becomes NaN, even if the loss ignores that row."),
        ],
        right=2,
    ),
    Question(
        "A model has self-attention without mask and without positions. You swap two tokens of its input. The output …",
        [
            Option("does not change.", "The output rows move with their tokens. A pooled output would not change."),
            Option(
                "has the same two rows swapped.", "It is permutation equivariant: it knows the tokens, not their order."
            ),
            Option("changes in every row.", "Each row is a mean over the same set of tokens."),
        ],
        right=1,
    ),
    Question(
        "Keep d fixed and double n. By which factor do the FLOPs of one attention layer grow, without its projections?",
        [
            Option("2", "This is so for an RNN and for the projections."),
            Option("4", "Each of 2n queries meets 2n keys."),
            Option("8", "The width d is not doubled."),
        ],
        right=1,
    ),
    Question(
        "Which sentence about parallel work is right?",
        [
            Option(
                "In training all positions are computed at once; in generation the tokens still come one by one.",
                "In training the whole text is known, and the causal mask hides the future.",
            ),
            Option("A Transformer generates all tokens of a text at once.", "Each new token needs the one before it."),
            Option(
                "An RNN can be trained on all positions at once.",
                "State t needs state t − 1, as long as the step is not linear.",
            ),
        ],
        right=0,
    ),
    Question(
        '`torch.nn.MultiheadAttention` gets your boolean mask in which True means "may attend". What happens?',
        [
            Option("It is used as you mean it.", "Its boolean masks have the opposite sign."),
            Option("It raises an error.", "No error: a boolean mask is accepted, with the opposite sense."),
            Option("It blocks exactly what you meant to show.", "There, True means blocked. Invert the mask first."),
        ],
        right=2,
    ),
]
