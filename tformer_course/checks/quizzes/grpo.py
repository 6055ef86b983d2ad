"""Quiz of chapter 10."""

from ..quiz import Option, Question

QUESTIONS = [
    Question(
        "A reward is 1 where the right number occurs anywhere in the completion. What will the policy learn?",
        [
            Option("To calculate", "Only as long as nothing cheaper pays as well."),
            Option(
                "To write as many numbers as it can", "That is always paid; calculating is paid only when it is right."
            ),
            Option("To write short answers", "Length costs nothing here."),
        ],
        right=1,
    ),
    Question(
        "When should the list of possible cheats be written?",
        [
            Option(
                "Before training", "Afterwards one finds those that one can see; the reward curve shows none of them."
            ),
            Option("When the reward stops rising", "A hacked reward rises all the time."),
            Option("Never: a rule cannot be cheated", "The policy does what the rule pays, not what you mean."),
        ],
        right=0,
    ),
    Question(
        "What does GRPO have in place of PPO's value model?",
        [
            Option("A reward model", "That scores completions; it is no baseline, and GRPO may go without one."),
            Option("The reference model", "It measures the distance that the policy has gone."),
            Option("The mean reward of other completions of the same prompt", "The group is the baseline."),
        ],
        right=2,
    ),
    Question(
        "All 16 completions of a prompt are right. What does this group contribute to the step, where β = 0?",
        [
            Option("Nothing", "Every advantage is 0. The computing was spent all the same."),
            Option("A strong push towards these answers", "Nothing is better than the group's mean."),
            Option("NaN", "Only where eps is forgotten."),
        ],
        right=0,
    ),
    Question(
        "15 of 16 completions are right; advantages are divided by the deviation. Which is the largest?",
        [
            Option("Those of the right ones", "They get +0.26 each."),
            Option("All are equal", "They would be with 8 of 16."),
            Option("That of the wrong one", "−3.87: the rarer case is louder. Dr. GRPO leaves the division out."),
        ],
        right=2,
    ),
    Question(
        "Why can GRPO's mean per sequence make wrong answers longer?",
        [
            Option("Long answers are right more often", "Then it would be no bias."),
            Option("A long wrong answer is punished less per token", "Each of its tokens weighs 1/(N·L)."),
            Option("The budget grows", "The budget is fixed."),
        ],
        right=1,
    ),
    Question(
        "Samples are drawn at temperature 1.5, log π is computed at 1. What do you see in the first step?",
        [
            Option("Ratios that are not 1", "Both must belong to the same distribution."),
            Option("Nothing unusual", "Print the ratios of the first step: all should be 1."),
            Option("An error", "Nothing stops; learning is just wrong."),
        ],
        right=0,
    ),
    Question(
        "Of 10 samples 1 is right. What is the unbiased estimate of pass@5?",
        [
            Option("1 − 0.9⁵ = 0.41", "That is drawing with replacement."),
            Option("0.5", "Half of all choices of 5 samples hold the right one: 1 − C(9,5)/C(10,5)."),
            Option("0.1", "That is pass@1."),
        ],
        right=1,
    ),
    Question(
        "Training raises pass@1 from 45 % to 85 %; pass@64 was 100 % and is 98 %. What does this show?",
        [
            Option("The model has learned new sums", "It could write every one of these answers before."),
            Option(
                "It says first what it could say before", "This is sharpening: mass moves to answers that were there."
            ),
            Option("Nothing was gained", "One sample is what users get: pass@1 has nearly doubled."),
        ],
        right=1,
    ),
    Question(
        "k3 as a loss, averaged over samples of the policy that are then fixed: what is its gradient?",
        [
            Option("That of KL(π‖π_ref)", "That is k2's."),
            Option("Zero", "That is k1's."),
            Option("That of KL(π_ref‖π)", "The exact example of section 3 shows it."),
        ],
        right=2,
    ),
    Question(
        "After DPO most answers are polite. GRPO with a rule for numbers follows. What is safe to say about manner?",
        [
            Option(
                "It stays: GRPO only touches what is rewarded",
                "All tokens of a right answer are pushed, manner included.",
            ),
            Option("It is lost for certain", "Only if impolite answers are right more often, or by chance."),
            Option(
                "Nothing rewards it, so it must be measured",
                "The group pushes whatever goes together with being right.",
            ),
        ],
        right=2,
    ),
]
