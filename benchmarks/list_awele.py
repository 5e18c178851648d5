"""Awélé by the preset `course` as one would write it in plain Python: a list of pits, changed in place.

The games for OpenSpiel and easyAI share it, so that their rates compare the systems and not two sets of rules.
"""

SEEDS = 48
MAJORITY = 25
STOP = 6
STAGNATION = 1000


class ListAwele:
    """A running game. Pits 0-5 are player 0's in sowing order, 6-11 player 1's; a move is 0-5 on the own side."""

    def __init__(self) -> None:
        self.pits = [4] * 12
        self.stores = [0, 0]
        self.player = 0
        self.quiet = 0  # plies since the last capture
        self.moves = self._legal_moves()  # of the player to move; none once the game is over

    def play(self, move: int) -> None:
        """Sow, capture, pass the turn and apply the end rules; the move must be legal."""
        taken = self._capture(self._sow(6 * self.player + move))
        self.stores[self.player] += taken
        self.quiet = 0 if taken else self.quiet + 1
        self.player = 1 - self.player
        if max(self.stores) >= MAJORITY or sum(self.stores) > SEEDS - STOP or self.quiet >= STAGNATION:
            self.moves = []
            return
        self.moves = self._legal_moves()
        if not self.moves:
            first = 6 * self.player
            self.stores[self.player] += sum(self.pits[first : first + 6])
            self.pits[first : first + 6] = [0] * 6

    def _sow(self, origin: int) -> int:
        """Empty a pit into the following ones; the pit of the last seed."""
        pits = self.pits
        seeds, pits[origin] = pits[origin], 0
        at = origin
        while seeds:
            at = (at + 1) % 12
            if at != origin:
                pits[at] += 1
                seeds -= 1
        return at

    def _capture(self, last: int) -> int:
        """Take what the last seed captures; the number of seeds, 0 for a grand slam."""
        pits, first = self.pits, 6 - 6 * self.player
        if not first <= last < first + 6:
            return 0
        at = last
        while at >= first and 2 <= pits[at] <= 3:
            at -= 1
        taken = sum(pits[at + 1 : last + 1])
        if taken == sum(pits[first : first + 6]):
            return 0
        pits[at + 1 : last + 1] = [0] * (last - at)
        return taken

    def _legal_moves(self) -> list[int]:
        own, other = self.pits[:6], self.pits[6:]
        if self.player:
            own, other = other, own
        if any(other):
            return [pit for pit in range(6) if own[pit]]
        return [pit for pit in range(6) if own[pit] + pit >= 6]
