"""Writes the files of this example: what was learned from, labels, two runs, genres, their target, the catalogue."""

import csv
import random
from pathlib import Path

HERE = Path(__file__).parent
GENRES = ("drama", "comedy", "crime", "documentary", "family")


def rows(seed: int = 5) -> dict[str, list[tuple[object, ...]]]:
    """Films of five genres, seen the more often the lower their number; one run lists these, one other films too."""
    draw = random.Random(seed)
    films, users = [f"f{at:02}" for at in range(1, 31)], [f"u{at}" for at in range(1, 13)]
    weights = [1 / (at + 1) for at in range(26)]  # the last four are new
    learned = {user: set(draw.choices(films[:26], weights, k=6)) for user in users}
    genre = {film: GENRES[draw.randrange(5)] for film in films}
    liked = {user: draw.sample([film for film in films if film not in learned[user]], 4) for user in users}
    found: dict[str, list[tuple[object, ...]]] = {"train": [], "labels": [], "popular": [], "personal": []}
    for user in users:
        fresh = [film for film in films if film not in learned[user]]
        other = draw.sample(fresh, 5)
        found["train"] += [(user, film) for film in sorted(learned[user])]
        found["labels"] += [(user, film) for film in liked[user]]
        found["popular"] += [(user, film, 5 - at) for at, film in enumerate(fresh[:5])]
        found["personal"] += [(user, film, 5 - at) for at, film in enumerate(other)]
    found["films"] = [(film, genre[film]) for film in films]
    return found


HEADS = {"train": ("user", "item"), "labels": ("user", "item"), "films": ("item", "genre")}

if __name__ == "__main__":
    for name, lines in rows().items():
        with (HERE / f"{name}.csv").open("w", newline="", encoding="utf-8") as file:
            csv.writer(file, lineterminator="\n").writerows([HEADS.get(name, ("user", "item", "score")), *lines])
    shares = "".join(f"{genre},{1 / len(GENRES)}\n" for genre in sorted(GENRES))
    (HERE / "target.csv").write_text(f"group,share\n{shares}", encoding="utf-8")
    (HERE / "catalogue.txt").write_text("".join(f"{film}\n" for film, _ in rows()["films"]), encoding="utf-8")
