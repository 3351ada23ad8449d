"""A metric of your own: defining the class registers it, and every preset that offers all metrics has it."""

from typing import Annotated, ClassVar

import numpy as np

from rankconv import plugin

CLICK_CHANCE = plugin.Convention("click-chance", "How likely is it that a relevant item is clicked?", neutral="0.5")


@CLICK_CHANCE.number(
    rule="this probability", least=0, most=1, says="a relevant item is clicked with probability {value}"
)
def chance(value: float) -> float:
    """The same for every item and rank."""
    return value


class FirstClick(plugin.Metric):
    """How likely is it that the user clicks anything in the first k?

    Each relevant item is clicked with the same probability p, whatever happened before, and the others never.
    Range 0 to 1.
    """

    name: ClassVar[str] = "first_click"
    formula: ClassVar[str] = "1 - (1 - p)^hits@k"
    called: ClassVar[str] = (
        "probability of a click"  # what a paper gets from `rankconv cite`: the name, a sentence, LaTeX
    )
    says: ClassVar[str] = "1 less the probability that every relevant item {here} is passed over"
    tex: ClassVar[str] = r"1 - \prod_{j=1}^{«K»} (1 - «click-chance» r_j)"
    splits: ClassVar[bool] = False  # not a ratio, so there is no denominator to sum over users
    click_chance: Annotated[str, CLICK_CHANCE]

    def per_user(self, block: plugin.Block) -> plugin.Ratio:
        """No click is the chance that every hit is passed over."""
        chance = self.parameter("click-chance", block)  # an explanation computes with it as 9/10
        return plugin.Ratio(1 - (1 - chance) ** block.hits_so_far.at(self.scope), np.ones(block.size))
