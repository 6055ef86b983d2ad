"""Quiz of chapter 09."""

from ..quiz import Option, Question

QUESTIONS = [
    Question(
        "A reward model gives answer A 3.2 and answer B 1.2, both to one prompt. What follows from Bradley–Terry?",
        [
            Option("A is preferred with probability σ(2) ≈ 0.88.", "Only the difference counts: σ(3.2 − 1.2)."),
            Option("A is 2.7 times as good as B.", "Rewards have no zero, so their ratio means nothing."),
            Option("A is preferred always.", "People are noisy; a difference of 2 leaves 12 % for B."),
        ],
        right=0,
    ),
    Question(
        "Somebody adds 100 to all rewards of a reward model. What changes in its loss?",
        [
            Option("It becomes larger.", "Both rewards of a pair move together."),
            Option("Nothing.", "The loss sees differences alone: it is invariant to a shift."),
            Option("It overflows.", "The difference is what it was, and log σ is computed stably."),
        ],
        right=1,
    ),
    Question(
        "Why is the reward read at the last real token?",
        [
            Option("It has the largest score.", "Nothing makes it the largest."),
            Option("The first token is the prompt.", "True, but every later token would do then."),
            Option(
                "In a causal model only that position has read the whole answer.",
                "Earlier ones have not seen what follows, later ones are padding.",
            ),
        ],
        right=2,
    ),
    Question(
        "A reward model is right in 70 % of held-out comparisons. Is that poor?",
        [
            Option(
                "It depends on how often people agree with each other.",
                "That is the ceiling. In this chapter even the true reward agrees in well under 100 %.",
            ),
            Option("Yes, a good model reaches 95 %.", "Not where people themselves disagree in many pairs."),
            Option("No, anything above 50 % is enough.", "Policies are trained against it; each error can be used."),
        ],
        right=0,
    ),
    Question(
        "Which estimate of KL(p‖q), put into a loss and averaged over samples from p, has the gradient of KL(p‖q)?",
        [
            Option("k1", "Its mean gradient is Σ∇p = 0."),
            Option("k2", "Its gradient is d·∇log p, which is the policy gradient of the KL."),
            Option("k3", "It has the gradient of the other one, KL(q‖p)."),
        ],
        right=1,
    ),
    Question(
        "k1 of one sample is −0.4. Is something wrong?",
        [
            Option("No.", "log p − log q is negative wherever q is larger; the mean over p is the KL."),
            Option("Yes, a KL is never negative.", "The mean is not; single samples may be."),
            Option("Yes, the logarithm is missing.", "k1 is a difference of logarithms and has both signs."),
        ],
        right=0,
    ),
    Question(
        "In GAE, what does λ = 1 mean?",
        [
            Option(
                "The values are trusted fully.", "That is λ = 0, where only the next value stands for all that follows."
            ),
            Option("Rewards are not discounted.", "That is γ."),
            Option(
                "All rewards that follow are added up: no bias from the values, and all the noise.",
                "The values in between cancel; only −V_t is left as a baseline.",
            ),
        ],
        right=2,
    ),
    Question(
        "PPO with ε = 0.2: a token has A = −1 and ρ = 1.5. What is its gradient?",
        [
            Option(
                "Not zero: a bad token that has become more likely is pushed back.",
                "min(−1.5, −1.2) = −1.5, the uncut term with its gradient.",
            ),
            Option("Zero, as 1.5 is outside 0.8 … 1.2.", "The minimum takes the uncut term here."),
            Option("It depends on the reference.", "The reference is in the reward, not in this loss."),
        ],
        right=0,
    ),
    Question(
        "With β = 0 the proxy rises for 150 rounds. What does that tell about the true reward?",
        [
            Option("It rises too, only more slowly.", "At first; later it fell here in two of three seeds."),
            Option("It falls from the first round.", "While the answers are like the compared ones, both rise."),
            Option("Nothing by itself.", "The proxy is what is optimised; its own number does not show where it errs."),
        ],
        right=2,
    ),
    Question(
        "Where does the normaliser Z go in the derivation of DPO?",
        [
            Option("It is estimated from samples.", "That would be the hard way; it is not needed."),
            Option("It is set to 1.", "It is not 1."),
            Option(
                "It cancels: both answers of a pair belong to one prompt.",
                "Only the difference of two rewards is in the loss, and β log Z is in both.",
            ),
        ],
        right=2,
    ),
    Question(
        "DPO's loss falls, and so does log π of the chosen answers. Is it a bug?",
        [
            Option(
                "Not necessarily: the loss only asks that the rejected ones fall more.",
                "This is likelihood displacement; the probability goes to answers that are in no pair.",
            ),
            Option("Yes: the sign is wrong.", "With the wrong sign the margin would shrink."),
            Option("Yes: chosen answers must become likelier.", "Nothing in the loss says so."),
        ],
        right=0,
    ),
]
