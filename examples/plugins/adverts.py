"""A preparation step of a plugin: it changes the lists before any metric reads them, where a preset sets it."""

import numpy as np

from rankconv import plugin

ADVERTS = plugin.Convention(
    "adverts", "What becomes of adverts?", reads=("block",), neutral="kept", tells="an advert in a list"
)


@ADVERTS.setting("kept", rule="they keep their ranks", no="removal of adverts")
def kept(block: plugin.WorkingBlock) -> None:
    """Nothing is done; so it is under all presets that do not ask."""


@ADVERTS.setting("removed", rule="taken out of the list", says="adverts are taken out of the list", reads_order=False)
def removed(block: plugin.WorkingBlock) -> None:
    """The items below them move up."""
    adverts = [str(item).startswith("ad-") for item in block.item_ids]
    block.rows.take(~np.array(adverts, bool))


plugin.preparation_step(ADVERTS, after="exclude")
