"""Ratings: what one match makes of the skills of those who played it, by openskill's Plackett-Luce model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from openskill.models import PlackettLuce

MODEL = PlackettLuce()


@dataclass(frozen=True, slots=True)
class Skill:
    """What is believed of a competitor: about `mu`, give or take `sigma`."""

    mu: float
    sigma: float

    @property
    def ordinal(self) -> float:
        """What leaderboards sort by: a skill that the competitor has almost surely."""
        return float(MODEL.rating(mu=self.mu, sigma=self.sigma).ordinal())


def newcomer() -> Skill:
    rating = MODEL.rating()
    return Skill(rating.mu, rating.sigma)


def rate(places: Sequence[tuple[str, int]], skills: Mapping[str, Skill]) -> dict[str, Skill]:
    """The new skills after a match of these (competitor, rank) places; equal ranks are ties.

    Each place is a team of one. Who holds several places, as a house bot may, gets the mean of what each would bring.
    """
    teams = [[MODEL.rating(mu=skills[who].mu, sigma=skills[who].sigma)] for who, _ in places]
    rated = MODEL.rate(teams, ranks=[rank for _, rank in places])
    earned: dict[str, list[Skill]] = {}
    for (who, _), [rating] in zip(places, rated, strict=True):
        earned.setdefault(who, []).append(Skill(rating.mu, rating.sigma))
    return {who: mean(each) for who, each in earned.items()}


def mean(each: Sequence[Skill]) -> Skill:
    return Skill(sum(skill.mu for skill in each) / len(each), sum(skill.sigma for skill in each) / len(each))
