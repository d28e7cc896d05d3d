"""What every service shares: settings, logs, gRPC server, health, tokens, metrics, shutdown."""

from .dialing import dial
from .guard import Translate
from .host import Host, Service
from .logs import configure_logging
from .refusals import (
    CODE_KEY,
    Refused,
    aborted,
    code_of,
    denied,
    exhausted,
    failed,
    invalid,
    not_found,
    stale,
    unauthenticated,
    unavailable,
)
from .serving import serve
from .settings import CannotStart, Settings, load
from .tokens import (
    InvitationClaims,
    KeySource,
    PlayerClaims,
    SeatClaims,
    ServiceTokens,
    TokenSigner,
    TokenVerifier,
    kind_of,
)

__all__ = [
    "CODE_KEY",
    "CannotStart",
    "Host",
    "InvitationClaims",
    "KeySource",
    "PlayerClaims",
    "Refused",
    "SeatClaims",
    "Service",
    "ServiceTokens",
    "Settings",
    "TokenSigner",
    "TokenVerifier",
    "Translate",
    "aborted",
    "code_of",
    "configure_logging",
    "denied",
    "dial",
    "exhausted",
    "failed",
    "invalid",
    "kind_of",
    "load",
    "not_found",
    "serve",
    "stale",
    "unauthenticated",
    "unavailable",
]
