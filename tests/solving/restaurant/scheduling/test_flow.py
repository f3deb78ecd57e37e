"""The maximum flow from suppliers to consumers."""

from __future__ import annotations

from itertools import chain, combinations

from hypothesis import given
from hypothesis import strategies as st

from cookmas.solving.restaurant.scheduling.bound import Supplier, maximum_flow

UNITS = st.integers(0, 9)
SUPPLIERS = st.lists(
    st.builds(Supplier, UNITS, st.dictionaries(st.integers(0, 3), UNITS)), max_size=4
)
WANTS = st.lists(UNITS, min_size=4, max_size=4)


def least_cut(suppliers: list[Supplier], wants: list[int]) -> int:
    """Return the capacity of the least cut, over all sets of consumers on the source's side."""
    consumers = range(len(wants))
    return min(
        sum(wants[consumer] for consumer in near)
        + sum(
            min(total, sum(most for consumer, most in to.items() if consumer not in near))
            for total, to in suppliers
        )
        for near in chain.from_iterable(combinations(consumers, n) for n in range(5))
    )


@given(SUPPLIERS, WANTS)
def test_the_greatest_flow_is_the_least_cut(suppliers: list[Supplier], wants: list[int]) -> None:
    assert maximum_flow(suppliers, wants) == least_cut(suppliers, wants)


def test_a_supplier_turns_to_another_consumer_if_one_has_enough() -> None:
    only, either = Supplier(4, {0: 4}), Supplier(4, {0: 4, 1: 4})
    assert maximum_flow([either, only], [4, 4]) == 8
    assert maximum_flow([either, only], [4, 1]) == 5
