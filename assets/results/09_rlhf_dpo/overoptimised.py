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
import json
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

RESULTS = Path(__file__).with_suffix(".json")
PAIRS, ROUNDS, RATE, PRICES = 100, 100, 3e-3, (0.0, 0.2)
CHOSEN_ON = 3  # seeds below it; their fine-tuned policies come with the course


def keep(part: str, name: str, found: dict) -> None:
    """Add one result to what is there, also when another seed is written at the same time."""
    results = json.loads(RESULTS.read_text()) if RESULTS.exists() else {"runs": {}, "reward models": {}}
    results["setup"] = {"pairs": PAIRS, "rounds": ROUNDS, "rate": RATE, "chosen on": CHOSEN_ON}
    results[part][name] = found
    text = json.dumps(results, indent=0, sort_keys=True).replace(",\n", ", ").replace('}, "', '},\n"') + "\n"
    RESULTS.write_text(text)
    print(name, {key: row[-1] for key, row in found.items() if isinstance(row, list)} or found, flush=True)


def is_there(name: str) -> bool:
    """Whether a run is in the results."""
    return RESULTS.exists() and name in json.loads(RESULTS.read_text())["runs"]


def main(seeds: list[int]) -> None:
    torch.set_num_threads(1)
    for seed in seeds:
        missing = [beta for beta in PRICES if not is_there(f"beta={beta} seed={seed}")]
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
        keep(
            "reward models",
            f"seed={seed}",
            {
                "accuracy": round((found["predicted"] > 0.5).double().mean().item(), 4),
                "of the true reward": round((found["true"] > 0.5).double().mean().item(), 4),
            },
        )
        for beta in missing:
            history = train_ppo(copy.deepcopy(policy), reward_model, beta, ROUNDS, seed=seed, lr=RATE)
            looks = {key: [round(x, 3) for x in row] for key, row in history.looks.items()}
            keep("runs", f"beta={beta} seed={seed}", {"steps": history.steps, **looks})


if __name__ == "__main__":
    main([int(seed) for seed in sys.argv[1:]] or list(range(6)))
