"""Keras: a callback asks batches of users, `rc.Evaluator` takes them, and early stopping reads what it gives."""

import os
from typing import Any

import numpy as np
import torch
from shop import ITEMS, USERS, shop

import rankconv as rc

os.environ["KERAS_BACKEND"] = "torch"
import keras

METRICS = ["ndcg@10", "recall@10"]


class Ranking(keras.callbacks.Callback):  # type: ignore[misc]
    """After each epoch the numbers of all users, among the logs; it comes before the callbacks that read them."""

    def __init__(self, bought: Any, wanted: Any) -> None:
        super().__init__()
        self.bought, self.wanted = bought, wanted

    def on_epoch_end(self, epoch: int, logs: dict[str, float] | None = None) -> None:
        """Take the users batch by batch."""
        numbers = rc.Evaluator(METRICS, preset="mllib")
        for users in np.array_split(np.arange(USERS), 3):
            scores = keras.ops.convert_to_numpy(self.model(users[:, None], training=False))
            offered = np.where(self.bought[users], -np.inf, scores)  # -inf is no item: what was bought is not offered
            numbers.update(self.wanted[users].astype(float), offered, users=users.tolist())
        result = numbers.compute()
        print(f"epoch {epoch}:", ", ".join(f"{name} {number:.3f}" for name, number in result.items()))
        if logs is not None:
            logs |= {f"val_{name}": number for name, number in result.items()}


def main() -> None:
    """Train until NDCG has not risen for two epochs."""
    keras.utils.set_random_seed(0)
    torch.set_num_threads(1)
    before, after = shop()
    user = keras.Input((1,), dtype="int32")
    vector = keras.layers.Flatten()(keras.layers.Embedding(USERS, 8)(user))
    model = keras.Model(user, keras.layers.Dense(ITEMS, activation="sigmoid")(vector))
    model.compile(optimizer=keras.optimizers.Adam(0.1), loss="binary_crossentropy")
    stop = keras.callbacks.EarlyStopping(monitor="val_ndcg@10", mode="max", patience=2)
    everyone = np.arange(USERS)[:, None]
    model.fit(everyone, before.astype(float), 10, 30, verbose=0, callbacks=[Ranking(before, after), stop])
    scores = np.where(before, -np.inf, keras.ops.convert_to_numpy(model(everyone, training=False)))
    print(f"all users in one call: ndcg@10 {rc.metric('ndcg@10', preset='mllib')(after.astype(float), scores):.3f}")


if __name__ == "__main__":
    main()
