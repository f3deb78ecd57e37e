"""Redis over TLS: `rediss://`, with a certificate that the test has signed itself."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest
from redis.exceptions import ConnectionError as NoConnectionError

from cookmas.client import AsyncClient
from cookmas.files.errors import InfrastructureError, InputError
from cookmas.mailboxes.protocol import EPISODE_PATIENCE, Settled
from cookmas.mailboxes.redis.link import RedisLink
from cookmas.mailboxes.redis.mailbox import RedisMailbox
from tests.redis_process import RedisProcess
from tests.tls import encrypted, self_signed


async def test_a_kitchen_is_reached_over_tls(
    server: RedisProcess, link: RedisLink, tmp_path: Path
) -> None:
    certificate, key = self_signed(tmp_path / "own")
    async with encrypted(server.socket, certificate, key) as port:
        address = f"rediss://127.0.0.1:{port}/0?ssl_ca_certs={certificate}"
        kitchen = RedisLink(address)
        mailbox = await RedisMailbox.open_episode(kitchen, "corner")
        async with AsyncClient(f"{address}#corner", "anna", patience=0) as anna:
            assert await anna.order("1 Garden Salad", id="a") is None
            assert [letter.sender for letter in await mailbox.open(1, 0)] == ["anna"]
            await mailbox.settle([Settled(number=1, about="live1")])
            answer = await anna.order("1 Garden Salad", id="a")
            assert answer
            assert answer.about == "live1"
        await kitchen.close()


async def test_a_certificate_that_is_not_trusted_is_said_at_once_and_in_one_line(
    server: RedisProcess, tmp_path: Path
) -> None:
    certificate, key = self_signed(tmp_path / "own")
    other, _ = self_signed(tmp_path / "other")
    elsewhere = self_signed(tmp_path / "elsewhere", "192.0.2.1")
    async with (
        encrypted(server.socket, certificate, key) as port,
        encrypted(server.socket, *elsewhere) as wrong,
    ):
        for address in (
            f"rediss://127.0.0.1:{port}/0",
            f"rediss://127.0.0.1:{port}/0?ssl_ca_certs={other}",
            f"rediss://127.0.0.1:{wrong}/0?ssl_ca_certs={elsewhere[0]}",
        ):
            link = RedisLink(address, EPISODE_PATIENCE)
            began = time.monotonic()
            with pytest.raises(InfrastructureError, match="is not trusted: ") as refused:
                await link.run(lambda redis: redis.get("x"))
            assert time.monotonic() - began < EPISODE_PATIENCE / 2
            assert "\n" not in str(refused.value)
            await link.close()
        with pytest.raises(InputError, match="there is no file"):
            RedisLink(f"rediss://127.0.0.1:{port}/0?ssl_ca_certs={tmp_path}/none")


async def test_a_certificate_is_not_trusted_although_its_error_was_raised_again(
    link: RedisLink,
) -> None:
    async def connect(redis: Any) -> None:
        raise NoConnectionError("Error 1. [SSL: CERTIFICATE_VERIFY_FAILED] expired (_ssl.c:1006).")

    began = time.monotonic()
    with pytest.raises(InfrastructureError, match=r"is not trusted: expired$"):
        await link.run(connect)
    assert time.monotonic() - began < EPISODE_PATIENCE / 2
