"""Tests of the prices."""

import unittest

from prices import total


class TotalTest(unittest.TestCase):
    """What a basket costs."""

    def test_all_prices_count(self) -> None:
        """Each price is in the sum."""
        assert total([100, 200, 300]) == 600

    def test_a_discount_is_taken_off(self) -> None:
        """The discount is in per cent."""
        assert total([0, 1000], discount=10) == 900


if __name__ == "__main__":
    unittest.main()
