"""The file with the private key that signs tokens: made when missing, readable by its owner only."""

from __future__ import annotations

import os
import stat
import tempfile
from contextlib import suppress
from pathlib import Path

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from .settings import CannotStart

OTHERS = stat.S_IRWXG | stat.S_IRWXO


def new_private_pem() -> bytes:
    return Ed25519PrivateKey.generate().private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )


def private_pem(path: Path) -> bytes:
    """The key in the file. Two processes that start at once on an empty folder end up with the same key."""
    try:
        if not path.exists():
            _create(path)
        if path.stat().st_mode & OTHERS:
            raise CannotStart(f"{path}: others may read this key; chmod 600 it, or make a new one if they did")
        return path.read_bytes()
    except OSError as error:
        raise CannotStart(f"{path}: cannot be used as the key that signs tokens: {error.strerror}") from None


def _create(path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")  # mode 0600
    written = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(new_private_pem())
            file.flush()
            os.fsync(file.fileno())
        with suppress(FileExistsError):
            path.hardlink_to(written)  # a whole file appears at once, and never over another one
    finally:
        written.unlink()
