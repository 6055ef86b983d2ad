"""From comparisons to a policy in two ways, three seeds: PPO with four prices of the KL, DPO with two, equal data.

    python assets/results/09_rlhf_dpo/preferences.py            seeds 0, 1 and 2
    python assets/results/09_rlhf_dpo/preferences.py 1          one of them

For each seed: fine-tune a policy on examples, let it answer 200 prompts twice, let a person choose (Bradley–Terry on
the true reward), fit a reward model; then PPO against the reward model, and DPO on the same pairs. What is looked at:
fresh answers of each policy. Policies and reward models of all seeds, and two policies after PPO of seed 0, are
written to assets/weights/09_rlhf_dpo/. 18 runs of 5 to 15 seconds on one core; each is written to preferences.json as
soon as it ends, and a run that is there is not repeated.
"""

import copy
import sys
from itertools import product
from pathlib import Path

import torch
from safetensors.torch import load_file, save_file

from tformer_course.training.rlhf_dpo import (
    compare,
    fine_tune,
    judge_reward_model,
    new_policy,
    train_dpo,
    train_ppo,
    train_reward_model,
)
from tformer_course.training.rlhf_dpo.rewards import RewardModel
from tformer_course.training.runs import Runs

RESULTS = Path(__file__).with_suffix(".json")
WEIGHTS = Path(__file__).parents[2] / "weights" / "09_rlhf_dpo"
PAIRS, ROUNDS, STEPS = 200, 100, 200
KINDS = (("ppo", 0.0), ("ppo", 0.2), ("dpo", 0.1), ("dpo", 0.5)), (("ppo", 0.5), ("ppo", 0.05))
KEPT = ("ppo beta=0.0 seed=0", "ppo beta=0.2 seed=0")


def weights_of(name: str, model: torch.nn.Module, train) -> torch.nn.Module:
    """Weights that are there are loaded; else `train` makes them, and they are kept."""
    path = WEIGHTS / f"{name}.safetensors"
    if not path.exists():
        model = train(model)
        WEIGHTS.mkdir(parents=True, exist_ok=True)
        save_file({key: value.contiguous() for key, value in model.state_dict().items()}, path)
    model.load_state_dict(load_file(path))
    return model


def fine_tuned(model: torch.nn.Module, seed: int) -> torch.nn.Module:
    """The policy that the examples teach."""
    fine_tune(model, seed=seed)
    return model


def main(seeds: list[int]) -> None:
    torch.set_num_threads(1)
    results = Runs(RESULTS, {"pairs": PAIRS, "ppo rounds": ROUNDS, "dpo steps": STEPS}, by_name=True)
    for kinds, seed in product(KINDS, seeds):  # all seeds of the chief comparison first
        policy = weights_of(f"policy_seed{seed}", new_policy(seed), lambda model, s=seed: fine_tuned(model, s))
        pairs = compare(policy, PAIRS, seed)
        reward_model = weights_of(
            f"reward_seed{seed}",
            RewardModel(policy).requires_grad_(False),
            lambda _, start=policy, p=pairs, s=seed: train_reward_model(start, p, seed=s),
        )
        found = judge_reward_model(reward_model, compare(policy, 2000, 50 + seed))
        judged = {
            "accuracy": round((found["predicted"] > 0.5).double().mean().item(), 4),
            "of the true reward": round((found["true"] > 0.5).double().mean().item(), 4),
        }
        results.keep(f"seed={seed}", judged, "reward models")
        print("reward model", seed, judged, flush=True)
        for kind, beta in kinds:
            name = f"{kind} beta={beta} seed={seed}"
            if name in results:
                continue
            learner = copy.deepcopy(policy)
            if kind == "ppo":
                history = train_ppo(learner, reward_model, beta, ROUNDS, seed=seed)
            else:
                history = train_dpo(learner, pairs, beta, STEPS, seed=seed, reward_model=reward_model)
            looks = {key: [round(x, 3) for x in row] for key, row in history.looks.items()}
            if name in KEPT:
                save_file(learner.state_dict(), WEIGHTS / f"{name.replace(' ', '_').replace('=', '')}.safetensors")
            results.keep(name, {"steps": history.steps, **looks})
            print(name, {key: row[-1] for key, row in looks.items()}, flush=True)


if __name__ == "__main__":
    main([int(seed) for seed in sys.argv[1:]] or [0, 1, 2])
