"""From comparisons to a policy in two ways, three seeds: PPO with four prices of the KL, DPO with three, equal data.

    python assets/results/09_rlhf_dpo/preferences.py

For each seed: fine-tune a policy on examples, let it answer 1,000 prompts twice, let a person choose (Bradley–Terry on
the true reward), fit a reward model; then PPO against the reward model, and DPO on the same pairs. What is looked at:
500 fresh answers of each policy. Policies and reward models of all seeds, and two policies after PPO of seed 0, are
written to assets/weights/09_rlhf_dpo/. 21 runs of 10 to 30 seconds on one core; each is written to preferences.json as
soon as it ends, and a run that is there is not repeated.
"""

import copy
import json
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

RESULTS = Path(__file__).with_suffix(".json")
WEIGHTS = Path(__file__).parents[2] / "weights" / "09_rlhf_dpo"
SEEDS, PAIRS, ROUNDS, STEPS = range(3), 1000, 150, 200
PPO_BETAS, DPO_BETAS = (0.0, 0.03, 0.1, 0.3), (0.05, 0.2, 0.5)
KEPT = ("ppo beta=0.0 seed=0", "ppo beta=0.1 seed=0")


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


def main() -> None:
    torch.set_num_threads(1)
    results = json.loads(RESULTS.read_text()) if RESULTS.exists() else {"runs": {}, "reward models": {}}
    results["setup"] = {"pairs": PAIRS, "ppo rounds": ROUNDS, "dpo steps": STEPS}

    def keep() -> None:
        RESULTS.write_text(json.dumps(results, indent=0).replace(",\n", ", ").replace('}, "', '},\n"') + "\n")

    for seed in SEEDS:
        policy = weights_of(f"policy_seed{seed}", new_policy(seed), lambda model, s=seed: fine_tuned(model, s))
        pairs = compare(policy, PAIRS, seed)
        reward_model = weights_of(
            f"reward_seed{seed}",
            RewardModel(policy).requires_grad_(False),
            lambda _, start=policy, p=pairs, s=seed: train_reward_model(start, p, seed=s),
        )
        found = judge_reward_model(reward_model, compare(policy, 2000, 50 + seed))
        results["reward models"][f"seed={seed}"] = {
            "accuracy": round((found["predicted"] > 0.5).double().mean().item(), 4),
            "of the true reward": round((found["true"] > 0.5).double().mean().item(), 4),
        }
        for kind, beta in [*product(["ppo"], PPO_BETAS), *product(["dpo"], DPO_BETAS)]:
            name = f"{kind} beta={beta} seed={seed}"
            if name in results["runs"]:
                continue
            learner = copy.deepcopy(policy)
            if kind == "ppo":
                history = train_ppo(learner, reward_model, beta, ROUNDS, seed=seed)
            else:
                history = train_dpo(learner, pairs, beta, STEPS, seed=seed, reward_model=reward_model)
            looks = {key: [round(x, 3) for x in row] for key, row in history.looks.items()}
            results["runs"][name] = {"steps": history.steps, **looks}
            if name in KEPT:
                save_file(learner.state_dict(), WEIGHTS / f"{name.replace(' ', '_').replace('=', '')}.safetensors")
            keep()
            print(name, {key: row[-1] for key, row in looks.items()}, flush=True)
    keep()


if __name__ == "__main__":
    main()
