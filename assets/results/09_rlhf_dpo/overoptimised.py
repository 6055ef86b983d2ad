"""A reward model of few comparisons is over-optimised, and held by a price of the KL: six seeds.

    python assets/results/09_rlhf_dpo/overoptimised.py          seeds 0 to 5
    python assets/results/09_rlhf_dpo/overoptimised.py 1        one of them

For each seed: a fine-tuned policy answers 100 prompts twice, a person chooses (Bradley–Terry on the true reward), a
reward model is fitted, and PPO runs for 100 rounds at a rate of 3e-3, with β = 0 and with β = 0.2. Half the comparisons
and three times the rate of preferences.py, where over-optimisation shows in two of three seeds. The setting was chosen
in trials on seeds 0, 1 and 2; seeds 3, 4 and 5 were run once, afterwards. 12 runs of about ten seconds on one core;
each is written to overoptimised.json as soon as it ends, and a run that is there is not repeated.
"""

import copy
import sys
from pathlib import Path

import torch

from tformer_course.training.rlhf_dpo import (
    compare,
    fine_tune,
    judge_reward_model,
    new_policy,
    train_ppo,
    train_reward_model,
    trained_policy,
)
from tformer_course.training.runs import Runs

RESULTS = Path(__file__).with_suffix(".json")
PAIRS, ROUNDS, RATE, PRICES = 100, 100, 3e-3, (0.0, 0.2)
CHOSEN_ON = 3  # seeds below it; their fine-tuned policies come with the course


def main(seeds: list[int]) -> None:
    torch.set_num_threads(1)
    results = Runs(RESULTS, {"pairs": PAIRS, "rounds": ROUNDS, "rate": RATE, "chosen on": CHOSEN_ON}, by_name=True)
    for seed in seeds:
        missing = [beta for beta in PRICES if f"beta={beta} seed={seed}" not in results]
        if not missing:
            continue
        if seed < CHOSEN_ON:
            policy = trained_policy(f"policy_seed{seed}")
        else:
            policy = new_policy(seed)
            fine_tune(policy, seed=seed)
        pairs = compare(policy, PAIRS, seed)
        reward_model = train_reward_model(policy, pairs, seed=seed)
        found = judge_reward_model(reward_model, compare(policy, 2000, 50 + seed))
        judged = {
            "accuracy": round((found["predicted"] > 0.5).double().mean().item(), 4),
            "of the true reward": round((found["true"] > 0.5).double().mean().item(), 4),
        }
        results.keep(f"seed={seed}", judged, "reward models")
        print("reward model", seed, judged, flush=True)
        for beta in missing:
            name = f"beta={beta} seed={seed}"
            history = train_ppo(copy.deepcopy(policy), reward_model, beta, ROUNDS, seed=seed, lr=RATE)
            looks = {key: [round(x, 3) for x in row] for key, row in history.looks.items()}
            results.keep(name, {"steps": history.steps, **looks})
            print(name, {key: row[-1] for key, row in looks.items()}, flush=True)


if __name__ == "__main__":
    main([int(seed) for seed in sys.argv[1:]] or list(range(6)))
