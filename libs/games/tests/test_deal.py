"""The deal generator against the vectors of docs/protocol.md and against a second implementation."""

from __future__ import annotations

from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from starport_games.kernel.deal import Deal, QuickDeal, commitment, key_of_words, read_deal, seed_key

ZERO = bytes(32)
keys = st.binary(min_size=32, max_size=32)


def test_words_of_a_key() -> None:
    key = key_of_words("starport")
    assert key.hex() == "e01f173879b6f4dd525c5ec96d74e6c62c3c246d27d54b22a3794d0857f7e7ab"
    deal = Deal(key)
    assert [deal.word() for _ in range(4)] == [2291464262, 1532811508, 3688045479, 3474144093]
    assert deal.at == 4


def test_below() -> None:
    deal = Deal(ZERO)
    assert [deal.below(6) for _ in range(12)] == [1, 2, 3, 3, 1, 5, 5, 3, 0, 2, 4, 3]
    assert deal.at == 12


def test_rejection_throws_words_away() -> None:
    deal = Deal(ZERO)
    assert [deal.below(3 << 30) for _ in range(4)] == [741658141, 1522477695, 1681378467, 167716337]
    assert deal.at == 6


def test_shuffle() -> None:
    items = list(range(10))
    deal = Deal(ZERO)
    deal.shuffle(items)
    assert items == [8, 4, 0, 3, 2, 9, 6, 7, 5, 1]
    assert deal.at == 9


def test_commitment_and_key() -> None:
    assert commitment(b"secret").hex() == "2bb80d537b1da3e38bd30361aa855686bde0eacd7162fef6a25fe97bf527a25b"
    key = seed_key(b"secret", "m-1", [b"a", b"", b"bc"])
    assert key.hex() == "5985bc00146ee5932bbdb6c3fed33c16b3cc991ff822afe4d673b9e379a1f6ae"


def test_fields_of_a_key_cannot_run_into_each_other() -> None:
    assert seed_key(b"s", "ab", [b"c"]) != seed_key(b"s", "a", [b"bc"])
    assert seed_key(b"s", "ab", [b""]) != seed_key(b"s", "ab", [])


def second_opinion(key: bytes, number: int) -> list[int]:
    """The specification read anew: whole blocks as one stream of bytes."""
    stream = b"".join(sha256(key + i.to_bytes(8, "big")).digest() for i in range(number // 8 + 1))
    return [int.from_bytes(stream[4 * i : 4 * i + 4], "big") for i in range(number)]


@given(keys, st.integers(0, 40))
def test_words_agree_with_a_second_implementation(key: bytes, number: int) -> None:
    deal = Deal(key)
    assert [deal.word() for _ in range(number)] == second_opinion(key, number)


@given(keys, st.integers(0, 30), st.integers(1, 1 << 32))
def test_a_clone_and_a_text_go_on_alike(key: bytes, used: int, n: int) -> None:
    for deal in (Deal(key), QuickDeal(int.from_bytes(key, "big"))):
        for _ in range(used):
            deal.word()
        copies = [deal.clone(), read_deal(deal.text())]
        expected = [deal.below(n) for _ in range(5)]
        assert all(0 <= number < n for number in expected)
        for copy in copies:
            assert [copy.below(n) for _ in range(5)] == expected
            assert copy.text() == deal.text()


def test_one_choice_uses_no_word() -> None:
    deal = Deal(ZERO)
    assert deal.below(1) == 0
    assert deal.at == 0


@pytest.mark.parametrize(
    "text",
    ["", "sha256", "sha256 00 0", "sha256 zz 0", f"sha256 {'00' * 32} -1", "quick 1 2 3", "quick 1 2 3 4 -5"],
)
def test_bad_texts_are_told(text: str) -> None:
    with pytest.raises(ValueError, match="deal"):
        read_deal(text)


def test_bad_numbers_are_told() -> None:
    with pytest.raises(ValueError, match="below 0"):
        Deal(ZERO).below(0)
    with pytest.raises(ValueError, match="32 bytes"):
        Deal(b"short")
