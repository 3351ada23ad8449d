"""LightFM: data of one user."""

from rankconv.aggregation.judged_cases import WholeData, data_policy


@data_policy("on-one-user", "there is only one user", neutral="as-computed")
def _(data: WholeData) -> bool:
    return data.users == 1
