"""Settings: environment, flags, help, and what is said about bad ones."""

from __future__ import annotations

from pathlib import Path

import pytest
from pydantic import Field, SecretStr

from starport_chassis import CannotStart, Settings, load, serve
from starport_chassis.settings import help_text


class Shop(Settings):
    """Settings of the shop."""

    opening_hour: int = Field(default=9, ge=0, le=23, description="when the shop opens")
    owner: str = Field(description="whose shop it is")


def test_defaults_are_safe() -> None:
    settings = load(Settings)
    assert (settings.host, settings.port, settings.metrics_port) == ("127.0.0.1", 0, 0)
    assert (settings.partitions, settings.message_bytes_max) == (4, 256 * 1024)
    assert (settings.call_deadline_s, settings.drain_s) == (5.0, 10.0)


def test_flags_win_over_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STARPORT_PORT", "7001")
    monkeypatch.setenv("STARPORT_TOKEN_KEY_FILE", "keys/token.pem")
    monkeypatch.setenv("STARPORT_LOG_LEVEL", "DEBUG")
    settings = load(Settings, ["--port", "7002", "--rate-per-s", "5"])
    assert (settings.port, settings.rate_per_s) == (7002, 5.0)
    assert settings.token_key_file == Path("keys/token.pem")
    assert settings.log_level == "debug"


def test_an_empty_variable_is_not_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STARPORT_PARTITIONS", "")
    assert load(Settings).partitions == 4


@pytest.mark.parametrize(
    ("variable", "value", "said"),
    [
        ("STARPORT_PORT", "many", "STARPORT_PORT: input should be a valid integer"),
        ("STARPORT_PORT", "70000", "STARPORT_PORT: input should be less than or equal to 65535, not '70000'"),
        ("STARPORT_LOG_FORMAT", "xml", "STARPORT_LOG_FORMAT: input should be 'auto', 'json' or 'console', not 'xml'"),
        ("STARPORT_RATE_EXEMPT", "10.0.0.0/8,here", "STARPORT_RATE_EXEMPT: 'here' does not appear to be"),
        ("STARPORT_DRAIN_S", "-1", "STARPORT_DRAIN_S: input should be greater than or equal to 0"),
    ],
)
def test_a_bad_value_gives_one_clear_line(
    monkeypatch: pytest.MonkeyPatch, variable: str, value: str, said: str
) -> None:
    monkeypatch.setenv(variable, value)
    with pytest.raises(CannotStart) as caught:
        load(Settings)
    assert str(caught.value).startswith(said)
    assert "\n" not in str(caught.value)
    assert caught.value.exit_code == 2


@pytest.mark.parametrize("arguments", [["--prot", "1"], ["--port"], ["serve"]])
def test_bad_arguments_give_one_clear_line(arguments: list[str]) -> None:
    with pytest.raises(CannotStart, match="--help lists what can be set") as caught:
        load(Settings, arguments)
    assert "\n" not in str(caught.value)
    assert caught.value.exit_code == 2


def test_secrets_are_not_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STARPORT_SERVICE_KEY", "hush" * 10)
    settings = load(Settings)
    assert settings.service_key == SecretStr("hush" * 10)
    assert "hush" not in repr(settings)


def test_a_missing_setting_is_named() -> None:
    with pytest.raises(CannotStart, match="STARPORT_OWNER: field required"):
        load(Shop)


def test_help_lists_every_setting(capsys: pytest.CaptureFixture[str]) -> None:
    async def build(settings: Shop) -> list[object]:
        raise AssertionError("help must not build anything")

    assert serve(Shop, build, arguments=["--help"]) == 0  # type: ignore[arg-type]  # never called
    text = capsys.readouterr().out
    assert "Settings of the shop." in text
    for name, field in Shop.model_fields.items():
        assert f"  STARPORT_{name.upper()}  [" in text
        assert field.description
    assert "  STARPORT_OPENING_HOUR  [9]\n      when the shop opens\n" in text
    assert "  STARPORT_OWNER  [must be set]\n      whose shop it is" in text
    assert "  STARPORT_SERVICE_KEY  [not set]\n" in text


def test_help_fits_a_terminal() -> None:
    assert max(map(len, help_text(Settings, "shop").splitlines())) <= 100
