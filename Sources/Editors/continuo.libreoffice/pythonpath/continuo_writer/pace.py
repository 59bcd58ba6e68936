# SPDX-License-Identifier: MIT
"""How often the documents are looked at, which takes the main thread for as long as their texts are long: pure."""

# In seconds: between what happens and looking.
SHORTEST = 0.1
# Of the main thread's time, looking takes no more than one part in so many.
SHARE = 10


class Pace:
    def __init__(self) -> None:
        self._spent = 0.0

    def note(self, seconds: float) -> None:
        """So long it took to look."""
        self._spent = seconds

    @property
    def pause(self) -> float:
        """How long to wait before the next look."""
        return max(SHORTEST, (SHARE - 1) * self._spent)
