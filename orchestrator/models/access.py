"""Access to an endpoint: its address and key, additions to each request, and this machine.

    --key-from NAME --extra 'chat_template_kwargs={"enable_thinking": false}' --header X-Tenant=NAME

Keys and the values of headers come only from environment variables, whose names alone are recorded,
and every output hides them. Faults of this machine, by which no endpoint can be reached, are found
before the first request, all but a distrusted certificate; the errors name the variable and the
file.
"""

from __future__ import annotations

import json
import os
import re
import ssl
from collections.abc import Iterable, Iterator, Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlsplit, urlunsplit

from cookmas.episodes.secrets import Secrets, name_secret, secrets_of
from cookmas.files.errors import InfrastructureError, InputError, MachineError, MissingError

VARIABLES = ("COOKMAS_API_KEY", "OPENAI_API_KEY")
"""Environment variables that may hold the key; the first one that is set counts."""

PLACEHOLDER = "no-key-needed"
"""The key that CookMAS sends to an endpoint other than OpenAI if the user has set no key."""

AZURE = "api-version"
"""The parameter of Azure's addresses of deployments."""

PASSING = "a planner of your own gets a key only by --pass-env NAME"

SENT = ("messages", "model", "response_format", "stream", "stream_options", "tools")
"""Fields of a request that CookMAS writes itself."""

OPTIONS = {
    "max_completion_tokens": "--max-tokens",
    "max_tokens": "--max-tokens",
    "seed": "--model-seed",
    "temperature": "--temperature",
}
"""Fields of a request that have an option, with this option."""

HEADERS = {
    "api-key": "--key-from",
    "authorization": "--key-from",
    "content-length": "no option",
    "content-type": "no option",
    "host": "--base-url",
}
"""Headers that CookMAS writes itself, in lower case, with the option that sets them."""

PROXIES = ("ALL_PROXY", "HTTPS_PROXY", "HTTP_PROXY")
"""Variables with the address of a proxy, also written in lower case."""

CERTIFICATES = ("SSL_CERT_FILE", "SSL_CERT_DIR")

SENT_VARIABLES = ("OPENAI_ORG_ID", "OPENAI_PROJECT_ID")
"""Variables that the openai client sends as headers."""

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,63}")
_VARIABLE = re.compile(r"[A-Z_][A-Z0-9_]{0,63}")


def api_key(base_url: str | None, variable: str | None = None) -> str:
    """Return the key for the endpoint at `base_url`; if that is None, the endpoint is OpenAI's.

    The key comes from the environment variable `variable` if it is given, else from the first of
    VARIABLES that is set, without quotes and the word `Bearer` around it. Raise MissingError if
    `variable` is not set or there is no key for OpenAI, InputError if the key has unusable
    characters.
    """
    if variable:
        name_secret(variable)
    for each in (variable,) if variable else VARIABLES:
        if key := _clean(os.environ.get(each, "")):
            if not (key.isascii() and key.isprintable()) or " " in key:
                raise InputError(each, "expected a key of plain characters, without blanks")
            return key
    if variable:
        raise MissingError(f"--key-from: the environment variable {variable} is not set; {PASSING}")
    if base_url is None:
        raise MissingError(
            f"there is no key for OpenAI: set {' or '.join(VARIABLES)}, or name "
            f"another endpoint with --base-url; {PASSING}"
        )
    return PLACEHOLDER


def _clean(key: str) -> str:
    """Return a key without what is copied with it: blanks, quotes, and the word `Bearer`."""
    key = key.strip().strip("\"'`").strip()
    return re.sub(r"^bearer\s+", "", key, flags=re.IGNORECASE).strip("\"'` ")


def hide_keys(*keys: str) -> Secrets:
    """Return the keys and header values of an endpoint as secrets, without the placeholder."""
    given = (secrets_of({"key": key}) for key in keys if key != PLACEHOLDER)
    return {form: shown for secrets in given for form, shown in secrets.items()}


def check_variable(name: str) -> str:
    """Return the name of an environment variable unchanged. Raise InputError for any other text.

    The error does not repeat the text, which may be a key.
    """
    if not _VARIABLE.fullmatch(name):
        raise InputError("--key-from", "expected the name of an environment variable, in capitals")
    return name


def read_url(base_url: str) -> tuple[str, dict[str, str]]:
    """Return an endpoint's base URL, and the parameters that each request to it has.

    The path of chat completions at its end is left out. The only parameter is Azure's api-version.
    Traces and messages show the URL. Raise InputError if the text is no URL, or the URL has a user,
    a password, another query or a fragment.
    """
    try:
        parts = urlsplit(base_url)
        sound = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
        query = dict(parse_qsl(parts.query, strict_parsing=bool(parts.query)))
    except ValueError:
        sound, query = False, {}
    if not sound or not base_url.isprintable() or " " in base_url:
        raise InputError("base URL", "expected one such as http://localhost:8000/v1")
    if parts.username or parts.password or query.keys() - {AZURE} or parts.fragment:
        raise InputError(
            "base URL",
            f"expected one without user, key or query; the key is taken from {VARIABLES[0]}. For "
            f"Azure write https://NAME.openai.azure.com/openai/v1",
        )
    path = parts.path.rstrip("/").removesuffix("/chat/completions").rstrip("/")
    return urlunsplit((parts.scheme, parts.netloc, path, "", "")), query


def list_added(extra: Iterable[str], headers: Iterable[str]) -> tuple[str, ...]:
    """Return the names of the fields and headers that a user adds to requests, each sorted.

    A cassette and a trace record them so.
    """
    return (*sorted(extra), *sorted(headers))


def read_fields(given: Iterable[str]) -> dict[str, Any]:
    """Return the fields of the texts `KEY=VALUE`; a value is JSON, or else a text.

    Raise InputError for a field without a value, and for one that CookMAS writes itself.
    """
    fields: dict[str, Any] = {}
    for text in given:
        name, equals, value = text.partition("=")
        if not equals or not _NAME.fullmatch(name):
            raise InputError("--extra", "expected KEY=VALUE, such as top_k=20")
        if name in SENT:
            raise InputError("--extra", f"CookMAS writes the field {name!r} itself")
        if name in OPTIONS:
            raise InputError("--extra", f"the field {name!r} has an option, {OPTIONS[name]}")
        if name in fields:
            raise InputError("--extra", f"the field {name!r} has two values")
        try:
            fields[name] = json.loads(value)
        except (ValueError, RecursionError):
            fields[name] = value
    return fields


def read_headers(given: Iterable[str]) -> dict[str, str]:
    """Return the variables of the headers of the texts `NAME=VARIABLE`.

    Raise InputError for a text of another form, which the error does not repeat, since it may be a
    secret, and for a header that CookMAS writes itself.
    """
    headers: dict[str, str] = {}
    for text in given:
        name, _, variable = text.partition("=")
        if not (_NAME.fullmatch(name) and _VARIABLE.fullmatch(variable)):
            wished = "expected NAME=VARIABLE, a header and the environment variable with its value"
            raise InputError("--header", wished)
        if name.lower() in HEADERS:
            option = HEADERS[name.lower()]
            raise InputError("--header", f"CookMAS writes {name} itself; it is set by {option}")
        if name.lower() in (known.lower() for known in headers):
            raise InputError("--header", f"{name} has two values")
        headers[name] = variable
    return headers


def header_values(headers: Mapping[str, str]) -> dict[str, str]:
    """Return the values of headers, which the environment variables have.

    Raise MissingError for a variable that is not set, InputError for a value that cannot be sent.
    """
    values: dict[str, str] = {}
    for name, variable in headers.items():
        value = os.environ.get(variable, "").strip()
        if not value:
            raise MissingError(f"--header {name}: the environment variable {variable} is not set")
        if not (value.isascii() and value.isprintable()):
            raise InputError(variable, f"expected plain characters for the header {name}")
        values[name] = value
    return values


def check_machine() -> None:
    """Raise MachineError, which names a variable, if its value lets no request be sent."""
    for name in _set(PROXIES):
        _check_proxy(name, os.environ[name])
    for name in _set(CERTIFICATES):
        _check_certificates(name, Path(os.environ[name]))
    for name in _set(SENT_VARIABLES):
        if not (os.environ[name].isascii() and os.environ[name].strip().isprintable()):
            raise MachineError(
                name, "cannot be sent as a header; unset it or write plain characters"
            )


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
    name = next(_set(CERTIFICATES), None)
    trusted = f"{os.environ[name]} does not vouch for" if name else "this machine does not trust"
    problem = f"{trusted} the certificate of {url}; name the file of its issuer's certificate"
    return MachineError(name or "SSL_CERT_FILE", problem)


def describe_proxy(url: str) -> str:
    """Return the sentence that a URL is reached through a proxy; empty if it is not."""
    from urllib.request import proxy_bypass

    parts = urlsplit(url)
    if proxy_bypass(parts.netloc):
        return ""
    used = next(_set((f"{parts.scheme}_PROXY".upper(), "ALL_PROXY")), None)
    return f"; the variable {used} sends it through a proxy" if used else ""
