"""Quiz of chapter 05."""

from ..quiz import Option, Question

QUESTIONS = [
    Question(
        "BERT and GPT of the same size are built from the same block. What makes the difference?",
        [
            Option(
                "Cross-attention: GPT is a decoder.", "GPT has no encoder to look at; its decoder has no such branch."
            ),
            Option("The mask, and what the model must predict", "All see all and fill gaps; or causal and next token."),
            Option("The number of heads", "It may be equal, and changes nothing about who sees whom."),
        ],
        right=1,
    ),
    Question(
        "Of the 15 % of tokens that BERT chooses, which become [MASK]?",
        [
            Option("All", "Then the finished model, which never sees [MASK], would be used to something else."),
            Option("80 %", "10 % become a random word, and 10 % stay as they are."),
            Option("15 %", "That is the share of all tokens that are chosen."),
        ],
        right=1,
    ),
    Question(
        "Why do the chosen tokens that stay as they are have a label too?",
        [
            Option("By mistake", "It is intended: every chosen position is asked."),
            Option("So that all positions have one", "Only chosen ones have a label; the others have −100."),
            Option(
                "So that the model must also check words that look fine",
                "It cannot know which words are to be trusted.",
            ),
        ],
        right=2,
    ),
    Question(
        "T5's inputs are `a <0> d e <1>`, its targets `<0> b c <1> f <2>`. What was the text?",
        [
            Option("a b c d e f", "Each sentinel stands for what follows it in the targets; <2> only closes them."),
            Option("b c f", "That is what was cut out. The inputs hold the rest."),
            Option("a d e b c f", "The spans go back to where their sentinels stand."),
        ],
        right=0,
    ),
    Question(
        "A causal model reaches a loss far below what the data allow. What is the likeliest cause?",
        [
            Option("A very good model", "No model can know what is drawn at random."),
            Option("Labels that are not shifted, or a mask that leaks", "The answer is among the inputs."),
            Option("Too small a learning rate", "That would leave the loss high."),
        ],
        right=1,
    ),
    Question(
        "What distinguishes a prefix decoder from an encoder–decoder, if who sees whom is equal?",
        [
            Option("Nothing", "The weights: one stack for both sides, or two stacks and cross-attention."),
            Option("The encoder–decoder cannot be trained by teacher forcing.", "It is trained exactly so."),
            Option(
                "One stack of weights against two, with cross-attention between", "The gradients' zeros are the same."
            ),
        ],
        right=2,
    ),
    Question(
        "Which of these has LLaMA's block in common with BERT's layer?",
        [
            Option("The norm stands after the addition.", "LLaMA is pre-norm, BERT post-norm."),
            Option("Linear layers have biases.", "LLaMA's have none."),
            Option("Two branches whose outputs are added to a stream", "That is every Transformer block since 2017."),
        ],
        right=2,
    ),
    Question(
        "Probabilities 0.5, 0.3, 0.2 and top-p 0.7. Which tokens stay?",
        [
            Option("The first", "It holds 0.5 only. The token that crosses p stays."),
            Option("The first two", "0.5 is below 0.7, with 0.3 it is crossed."),
            Option("All three", "The first two hold 0.8 already."),
        ],
        right=1,
    ),
    Question(
        "What is divided by the temperature?",
        [
            Option("The logits, before any cut", "Then top-k and top-p see the bent distribution."),
            Option("The probabilities", "They would be normalised again, and nothing would have changed."),
            Option("The logits, after top-p", "Then the cut would not depend on the temperature."),
        ],
        right=0,
    ),
    Question(
        "Why can keys and values be cached in a causal model, but not in BERT?",
        [
            Option("BERT has no keys and values.", "It has, in every layer."),
            Option(
                "In a causal model nothing that comes later changes them.", "In BERT a new word changes every position."
            ),
            Option("BERT is too small for it to pay.", "Size does not decide; the mask does."),
        ],
        right=1,
    ),
    Question(
        "8 key-value heads in place of 32: what becomes a quarter?",
        [
            Option("The parameters of the model", "Only k_proj and v_proj shrink."),
            Option("The FLOPs of q kᵀ", "Every query head still meets every key."),
            Option("The cache, and what decoding reads of it", "That is what GQA is for."),
        ],
        right=2,
    ),
    Question(
        "What do CLIP's two towers share?",
        [
            Option("Queries, keys and values", "Neither attends to the other."),
            Option("The space of their outputs, by the loss", "So captions can be embedded before any picture comes."),
            Option("Their weights", "Each has its own."),
        ],
        right=1,
    ),
]
