"""A long text as arguments of a program."""

from __future__ import annotations

from typing import List, Sequence, Tuple

_LONGEST_PIECE = 100 << 10  # Linux takes 128 KiB in an argument.


def in_pieces(description: str) -> List[str]:
    """The arguments that hand over a JSON object in ASCII: itself, or if it is long
    the number of its pieces, and these."""
    pieces = [description[at:at + _LONGEST_PIECE]
              for at in range(0, len(description), _LONGEST_PIECE)]
    return pieces if len(pieces) == 1 else [str(len(pieces)), *pieces]


def joined(words: Sequence[str]) -> Tuple[str, List[str]]:
    """The object, and the arguments behind it."""
    if words[0].startswith("{"):
        return words[0], list(words[1:])
    end = 1 + int(words[0])
    return "".join(words[1:end]), list(words[end:])
