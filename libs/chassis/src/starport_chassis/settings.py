"""Settings: what an operator can set, by environment variable or flag, and the help that says so."""

from __future__ import annotations

import ipaddress
import textwrap
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal, TypeVar

from pydantic import Field, SecretStr, ValidationError, field_validator
from pydantic.fields import FieldInfo
from pydantic_settings import BaseSettings, CliApp, SettingsConfigDict
from pydantic_settings.exceptions import SettingsError

KIB = 1024
HELP_COLUMNS = 100

AnySettings = TypeVar("AnySettings", bound="Settings")
Network = ipaddress.IPv4Network | ipaddress.IPv6Network


class CannotStart(Exception):
    """Why a service does not start, in one line for the operator."""

    def __init__(self, line: str, exit_code: int = 1) -> None:
        super().__init__(line)
        self.exit_code = exit_code


class Settings(BaseSettings):
    """What every service can be told.

    Services subclass it and add fields, each with `default=` and a description, and a docstring for the help.
    """

    model_config = SettingsConfigDict(
        env_prefix="STARPORT_", frozen=True, extra="ignore", env_ignore_empty=True, cli_kebab_case=True
    )

    host: str = Field(default="127.0.0.1", description="address to listen on; 0.0.0.0 for all")
    port: int = Field(default=0, ge=0, le=65535, description="port of gRPC; 0 takes a free one")
    metrics_host: str = Field(default="127.0.0.1", description="address of the metrics page")
    metrics_port: int = Field(
        default=0, ge=0, le=65535, description="port of the metrics page for Prometheus; 0 for none"
    )

    log_level: Literal["debug", "info", "warning", "error"] = Field(
        default="info", description="the least level that is logged"
    )
    log_format: Literal["auto", "json", "console"] = Field(
        default="auto",
        description="json, one object a line; console, for people; auto: console on a terminal, json elsewhere",
    )

    store_url: str = Field(
        default="redis://127.0.0.1:6379/0",
        description="the store: redis://, rediss://, unix://, redis+cluster:// or memory://",
    )
    partitions: int = Field(
        default=4, ge=1, le=100, description="partitions of the bus; the same for every service of a house"
    )

    service_key: SecretStr = Field(
        default=SecretStr(""),
        description="services trust each other by this secret, the same for all; 32 characters or more",
    )
    token_key_file: Path = Field(
        default=Path("token-key.pem"), description="where the lobby keeps the key that signs tokens; made when missing"
    )

    message_bytes_max: int = Field(default=256 * KIB, ge=KIB, description="largest message that is accepted, in bytes")
    calls_max: int = Field(
        default=10_000, ge=1, description="calls and open streams at the same time, further ones are refused"
    )
    streams_per_connection_max: int = Field(default=256, ge=1, description="calls at the same time on one connection")
    rate_per_s: float = Field(
        default=200.0, ge=0, description="calls and stream messages a second for one peer; 0 for no limit"
    )
    rate_burst: int = Field(default=400, ge=1, description="calls that a peer may make at once after a pause")
    rate_exempt: str = Field(
        default="127.0.0.0/8,::1/128",
        description="networks without that limit, such as those of the other services, by commas",
    )
    call_deadline_s: float = Field(default=5.0, gt=0, description="a call that takes longer is given up, in seconds")
    stream_deadline_s: float = Field(
        default=6 * 3600.0,
        gt=0,
        description="an open stream ends after so long, in seconds; its client opens a new one",
    )
    drain_notice_s: float = Field(
        default=0.0,
        ge=0,
        description="at the end, so long between telling health checks and refusing calls, in seconds",
    )
    drain_s: float = Field(
        default=10.0, ge=0, description="at the end, running calls have so long to finish, in seconds"
    )
    stream_drain_s: float = Field(
        default=1.0, ge=0, description="at the end, open streams have so long to finish, in seconds"
    )

    @field_validator("log_level", "log_format", mode="before")
    @classmethod
    def _lower(cls, value: Any) -> Any:
        return value.lower() if isinstance(value, str) else value

    @field_validator("rate_exempt")
    @classmethod
    def _are_networks(cls, value: str) -> str:
        networks_of(value)
        return value


def networks_of(text: str) -> tuple[Network, ...]:
    """The networks of a list separated by commas."""
    return tuple(ipaddress.ip_network(part.strip()) for part in text.split(",") if part.strip())


def load(settings: type[AnySettings], arguments: Sequence[str] = ()) -> AnySettings:
    """The settings of this process: flags first, then the environment, then defaults; CannotStart when one is wrong."""
    try:
        return CliApp.run(settings, cli_args=list(arguments), cli_exit_on_error=False)
    except ValidationError as error:
        raise CannotStart(_problem(settings, error), exit_code=2) from None
    except SettingsError as error:
        line = " ".join(str(error).split()).removeprefix("error parsing CLI: ")
        raise CannotStart(f"{line}; --help lists what can be set", exit_code=2) from None


def _problem(settings: type[Settings], error: ValidationError) -> str:
    """What is wrong in one line, without the value where it is a secret."""
    problems = []
    for entry in error.errors(include_url=False, include_context=False):
        name = str(entry["loc"][0]) if entry["loc"] else ""
        field = settings.model_fields.get(name)
        said = entry["msg"].removeprefix("Value error, ")
        shown = "" if field is None or _is_secret(field) else f", not {entry['input']!r}"
        problems.append(f"{variable_of(settings, name)}: {said[:1].lower()}{said[1:]}{shown}")
    return "; ".join(problems)


def variable_of(settings: type[Settings], name: str) -> str:
    return f"{settings.model_config.get('env_prefix', '')}{name}".upper()


def help_text(settings: type[Settings], command: str) -> str:
    """Every setting with its variable, default and meaning."""
    about = (settings.__doc__ or "").partition("\n")[0]
    lines = [
        f"usage: {command} [--help] [--<setting> VALUE]…",
        "",
        about,
        "Each is an environment variable or a flag: STARPORT_PORT=7001 or --port 7001.",
        "Flags can be seen by everybody on the machine: secrets belong in the environment.",
        "",
    ]
    for name, field in settings.model_fields.items():
        lines.append(f"  {variable_of(settings, name)}  [{_shown_default(field)}]")
        lines += textwrap.wrap(field.description or "", HELP_COLUMNS, initial_indent=" " * 6, subsequent_indent=" " * 6)
    return "\n".join(lines)


def _is_secret(field: FieldInfo) -> bool:
    return field.annotation is SecretStr or isinstance(field.default, SecretStr)


def _shown_default(field: FieldInfo) -> str:
    if field.is_required():
        return "must be set"
    default = field.get_default(call_default_factory=True, validated_data={})
    if default is None or isinstance(default, SecretStr) or default == "":
        return "not set"
    return str(default)
