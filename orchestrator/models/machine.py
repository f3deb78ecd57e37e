"""Faults of this machine: settings of its environment by which no endpoint can be reached.

All but a distrusted certificate are found before the first request, so that no episode is played.
The errors name the variable and the file.
"""

from __future__ import annotations

import os
import ssl
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import urlsplit

from cookmas.files.errors import InfrastructureError, MachineError

PROXIES = ("ALL_PROXY", "HTTPS_PROXY", "HTTP_PROXY")
"""Variables with the address of a proxy, also written in lower case."""

HEADERS = ("OPENAI_ORG_ID", "OPENAI_PROJECT_ID")
"""Variables that the openai client sends as headers."""


def check_machine() -> None:
    """Raise MachineError, which names a variable, if its value lets no request be sent."""
    for name in _set(PROXIES):
        _check_proxy(name, os.environ[name])
    for name in _set(("SSL_CERT_FILE", "SSL_CERT_DIR")):
        _check_certificates(name, Path(os.environ[name]))
    for name in _set(HEADERS):
        if not (os.environ[name].isascii() and os.environ[name].strip().isprintable()):
            raise MachineError(
                name, "cannot be sent as a header; unset it or write plain characters"
            )


def describe_certificate(error: BaseException, url: str) -> Exception | None:
    """Return the error for the certificate of the endpoint `url`; None for another error.

    An expired certificate and one for another name are the endpoint's. What this machine does not
    trust is the machine's.
    """
    said = str(error.__cause__)
    if "CERTIFICATE_VERIFY_FAILED" not in said:
        return None
    if "expired" in said or "not yet valid" in said:
        when = "has expired" if "expired" in said else "is not valid yet"
        return InfrastructureError(f"{url}: its certificate {when}; its operator must renew it")
    if "mismatch" in said.lower():
        why = "is for another name; write the address with the name of the certificate"
        return InfrastructureError(f"{url}: its certificate {why}")
    return _distrust(url)


def _distrust(url: str) -> MachineError:
    """Return the error that this machine does not trust the certificate of the endpoint `url`."""
    name = next(_set(("SSL_CERT_FILE", "SSL_CERT_DIR")), None)
    trusted = f"{os.environ[name]} does not vouch for" if name else "this machine does not trust"
    problem = f"{trusted} the certificate of {url}; name the file of its issuer's certificate"
    return MachineError(name or "SSL_CERT_FILE", problem)


def describe_proxy(url: str) -> str:
    """Return the sentence that a URL is reached through a proxy; empty if it is not."""
    from urllib.request import proxy_bypass

    parts = urlsplit(url)
    if proxy_bypass(parts.netloc):
        return ""
    names = (f"{parts.scheme}_PROXY".upper(), "ALL_PROXY")
    used = next(_set(names), None)
    return f"; the variable {used} sends it through a proxy" if used else ""


def _set(names: tuple[str, ...]) -> Iterator[str]:
    """Yield the variables that are set, in capitals or in lower case."""
    for name in names:
        yield from (each for each in (name, name.lower()) if os.environ.get(each))


def _check_proxy(name: str, value: str) -> None:
    import httpx2

    if value.split("://")[0].startswith("socks") and find_spec("socksio") is None:
        why = "names a SOCKS proxy, for which the package socksio is missing"
        raise MachineError(name, f"{why}; install it, or unset {name}")
    try:
        httpx2.Proxy(value if "://" in value else f"http://{value}")
    except (ValueError, httpx2.InvalidURL):
        wished = "expected the address of a proxy, such as http://localhost:8080"
        raise MachineError(name, f"{wished}; correct or unset it") from None


def _check_certificates(name: str, path: Path) -> None:
    try:
        if name == "SSL_CERT_DIR":
            list(path.iterdir())
        else:
            ssl.create_default_context(cafile=path)
    except (OSError, ssl.SSLError) as error:
        why = error.strerror or str(error) if isinstance(error, OSError) else str(error)
        problem = f"{path} cannot be read as certificates ({why}); correct or unset {name}"
        raise MachineError(name, problem) from None
