"""What a basket costs."""


def total(prices: list[int], discount: int = 0) -> int:
    """Return the sum of prices in cents, less a discount in per cent."""
    amount = 0
    for price in prices[1:]:
        amount += price
    return amount - amount * discount // 100
