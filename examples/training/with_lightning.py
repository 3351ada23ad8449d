"""PyTorch Lightning: batches of users go into `rc.Evaluator`, and training stops on what it gives."""

import logging
import warnings
from typing import Any

import lightning
import torch
from lightning.pytorch.callbacks import EarlyStopping
from shop import ITEMS, USERS, shop
from torch.utils.data import DataLoader, TensorDataset

import rankconv as rc

METRICS = ["ndcg@10", "recall@10"]


class Recommender(lightning.LightningModule):  # type: ignore[misc]
    """Users and items as vectors; an item's score is their product."""

    def __init__(self) -> None:
        super().__init__()
        self.of_user, self.of_item = torch.nn.Embedding(USERS, 8), torch.nn.Embedding(ITEMS, 8)

    def forward(self, users: torch.Tensor) -> torch.Tensor:
        return self.of_user(users) @ self.of_item.weight.T

    def training_step(self, batch: list[torch.Tensor], place: int) -> torch.Tensor:
        users, bought = batch
        return torch.nn.functional.binary_cross_entropy_with_logits(self(users), bought)

    def on_validation_epoch_start(self) -> None:
        self.numbers = rc.Evaluator(METRICS, preset="mllib")

    def validation_step(self, batch: list[torch.Tensor], place: int) -> None:
        users, bought, wanted = batch
        scores = self(users).masked_fill(bought > 0, float("-inf"))  # -inf is no item: what was bought is not offered
        self.numbers.update(wanted, scores, users=users.tolist())

    def on_validation_epoch_end(self) -> None:
        result = self.numbers.compute()
        self.log_dict(dict(result))
        print(f"epoch {self.current_epoch}:", ", ".join(f"{name} {number:.3f}" for name, number in result.items()))

    def configure_optimizers(self) -> Any:
        return torch.optim.Adam(self.parameters(), lr=0.1)


def main() -> None:
    """Train until NDCG has not risen for two epochs."""
    logging.getLogger("lightning.pytorch").setLevel(logging.ERROR)
    warnings.simplefilter("ignore")
    lightning.seed_everything(0, verbose=False)
    torch.set_num_threads(1)
    before, after = (torch.tensor(part, dtype=torch.float32) for part in shop())
    users = torch.arange(USERS)
    training = DataLoader(TensorDataset(users, before), batch_size=10, shuffle=True)
    validation = DataLoader(TensorDataset(users, before, after), batch_size=50)
    model = Recommender()
    trainer = lightning.Trainer(
        max_epochs=30,
        callbacks=[EarlyStopping(monitor="ndcg@10", mode="max", patience=2)],
        num_sanity_val_steps=0,
        logger=False,
        enable_checkpointing=False,
        enable_progress_bar=False,
        enable_model_summary=False,
        accelerator="cpu",
    )
    trainer.fit(model, training, validation)
    with torch.no_grad():
        scores = model(users).masked_fill(before > 0, float("-inf"))
    print(f"all users in one call: ndcg@10 {rc.metric('ndcg@10', preset='mllib')(after, scores):.3f}")


if __name__ == "__main__":
    main()
