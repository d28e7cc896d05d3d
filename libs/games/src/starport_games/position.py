"""Loads a position, applies moves given in text, and tells what came of it: what `position` prints."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from starport_games import registry
from starport_games.kernel.contract import Game, Refusal
from starport_games.kernel.effects import SPECTATOR, Effect, shown
from starport_games.kernel.errors import BadInput
from starport_games.kernel.lines import clip, read_lines

MOVES_MAX = 10_000


@dataclass
class Answer:
    """One line of the moves and what became of it."""

    seat: int | None
    move: str
    code: str = ""  # empty when accepted
    why: str = ""
    effects: list[str] = field(default_factory=list)


@dataclass
class Report:
    game: Game[Any, Any]
    state: Any
    answers: list[Answer]


def load(text: str, content_path: Path | None, where: str) -> tuple[Game[Any, Any], Any]:
    """The game that the `game:` line names, and its state."""
    lines = read_lines(text, where)
    named = next((line for line in lines if line.key == "game"), None)
    if named is None:
        raise BadInput(f"{where}: no 'game:' line; write one of {', '.join(registry.ALL)} there")
    if named.value not in registry.ALL:
        raise named.bad(f"there is no game {clip(named.value)}; there is {', '.join(registry.ALL)}")
    game = registry.ALL[named.value]
    return game, game.read_position(text, content_path, where)


def run(game: Game[Any, Any], state: Any, moves: str, where: str, viewer: int | None = None) -> Report:
    """Apply each line of `moves` in turn; refused ones are told and change nothing."""
    answers: list[Answer] = []
    for number, raw in enumerate(moves.splitlines(), 1):
        line = raw.split("#", 1)[0].strip()
        if not line:
            continue
        if len(answers) == MOVES_MAX:
            raise BadInput(f"{where}:{number}: at most {MOVES_MAX} moves")
        answers.append(_answer(game, state, line, f"{where}:{number}", viewer))
    return Report(game, state, answers)


def _answer(game: Game[Any, Any], state: Any, line: str, where: str, viewer: int | None) -> Answer:
    seat, text = _seat_and_move(game, state, line, where)
    if seat is None:
        return Answer(None, text, "OVER", "the game is over")
    try:
        move = game.read_move(state, text)
    except BadInput as why:
        return Answer(seat, text, *(("OVER", "the game is over") if game.over(state) else ("MALFORMED", str(why))))
    before = game.clone(state)
    try:
        outcome = game.play(state, seat, move)
    except BadInput as why:  # a gap: the position is a view and does not tell what this move needs
        raise BadInput(f"{where}: {text}: {why}") from None
    if isinstance(outcome, Refusal):
        return Answer(seat, text, outcome.code, outcome.why)
    effects: list[Effect] = outcome if viewer is None else shown(outcome, viewer)
    return Answer(
        seat,
        game.move_text(before, game.canonical(before, move)),
        effects=[_tell(game, state, e) for e in effects],
    )


def _tell(game: Game[Any, Any], state: Any, effect: Effect) -> str:
    who = f"{effect.seat}: " if effect.seat >= 0 else ""
    return who + game.effect_text(state, effect)


def _seat_and_move(game: Game[Any, Any], state: Any, line: str, where: str) -> tuple[int | None, str]:
    """`1: pick crew-03 up`; without a number the move is that of the only seat that is asked."""
    head, colon, rest = line.partition(":")
    if colon:
        if not head.strip().isascii() or not head.strip().isdigit() or len(head.strip()) > 3:
            raise BadInput(f"{where}: {clip(head)} is no seat; write '0: MOVE'")
        return int(head), rest.strip()
    deciders = game.deciders(state)
    if not deciders:
        return None, line
    if len(deciders) > 1:
        seats = ", ".join(str(decider.seat) for decider in deciders)
        raise BadInput(
            f"{where}: seats {seats} are asked at once; say whose move this is, as in '{deciders[0].seat}: {line[:40]}'"
        )
    return deciders[0].seat, line


def as_json(report: Report, viewer: int | None = None) -> dict[str, object]:
    game, state = report.game, report.state
    deciders = game.deciders(state)
    seen = state if viewer is None else game.view(state, viewer)
    return {
        "game": game.name,
        "moves": [_answer_json(answer) for answer in report.answers],
        "position": game.position_text(seen),
        "over": game.over(state),
        "deciders": [{"seat": decider.seat, "duty": decider.duty.value} for decider in deciders],
        "legal": {str(seat): texts for seat, texts in legal_texts(game, seen, viewer).items()},
        "score": [
            {
                "seat": s.seat,
                "name": s.name,
                "parts": dict(s.parts),
                "total": s.total,
                "rank": s.rank,
                "won": s.won,
            }
            for s in game.score(seen)
        ],
    }


def _answer_json(answer: Answer) -> dict[str, object]:
    told: dict[str, object] = {"seat": answer.seat, "move": answer.move, "accepted": not answer.code}
    return told | ({"code": answer.code, "why": answer.why} if answer.code else {"effects": answer.effects})


def legal_texts(game: Game[Any, Any], state: Any, viewer: int | None) -> dict[int, list[str]]:
    """The legal answers by seat; a viewer gets only its own (WS-INFO-7)."""
    seats = [decider.seat for decider in game.deciders(state) if viewer is None or decider.seat == viewer]
    return {seat: [game.move_text(state, move) for move in game.legal(state, seat)] for seat in seats}


def as_text(report: Report, viewer: int | None = None) -> str:
    game, state = report.game, report.state
    seen = state if viewer is None else game.view(state, viewer)
    lines: list[str] = []
    for answer in report.answers:
        who = "" if answer.seat is None else f"{answer.seat}: "
        lines.append(
            f"{who}{answer.move}  ->  " + (f"refused {answer.code}: {answer.why}" if answer.code else "accepted")
        )
        lines += [f"    {effect}" for effect in answer.effects]
    if lines:
        lines.append("")
    lines += [game.position_text(seen), *_asked(game, state, seen, viewer), "", "# score"]
    lines += [score_line(s.name, s.parts, s.total, s.rank) for s in game.score(seen)]
    return "\n".join(lines)


def _asked(game: Game[Any, Any], state: Any, seen: Any, viewer: int | None) -> list[str]:
    if game.over(state):
        return ["# the game is over"]
    lines = [f"# asked: {', '.join(f'seat {decider.seat}' for decider in game.deciders(state))}"]
    for seat, texts in legal_texts(game, seen, viewer).items():
        lines.append(f"# legal answers of seat {seat}: {len(texts)}")
        lines += [f"{seat}: {text}" for text in texts]
    return lines


def score_line(name: str, parts: Any, total: int, rank: int) -> str:
    detail = ", ".join(f"{part} {value}" for part, value in parts.items())
    return f"{name}: {total} ({detail}), rank {rank}"


def viewer_of(word: str | None, players: int) -> int | None:
    if word is None:
        return None
    if word == "spectator":
        return SPECTATOR
    if word.isascii() and word.isdigit() and len(word) < 3 and int(word) < players:
        return int(word)
    raise BadInput(f"--view: {clip(word)} is no viewer; write spectator or a seat from 0 to {players - 1}")
