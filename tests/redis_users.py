"""The users of a Redis server, as the how-to describes them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from cookmas.mailboxes.redis.link import RedisLink
from tests.redis_process import RedisProcess

HOW_TO = Path(__file__).parents[1] / "docs" / "how-to" / "use-redis.md"


async def let_in(link: RedisLink, name: str, rules: Sequence[str]) -> None:
    """Create a user."""

    async def ask(redis: Any) -> Any:
        return await redis.execute_command("ACL", "SETUSER", name, *rules)

    await link.run(ask)


async def users_of_the_how_to(server: RedisProcess, link: RedisLink) -> dict[str, RedisLink]:
    """Create the how-to's users but the default one; return a link for each, by its name."""
    acl = re.search(r"```text acl\n(.*?)```", HOW_TO.read_text(), re.DOTALL)
    assert acl
    users = [line.split()[1:] for line in acl[1].splitlines()]
    assert users.pop() == ["default", "off"]
    for name, *rules in users:
        await let_in(link, name, rules)
    return {name: as_user(server, name) for name, *_ in users}


def as_user(server: RedisProcess, name: str) -> RedisLink:
    """Return a link of a user with the how-to's secret."""
    return RedisLink(f"unix://{name}:{name}-secret@{server.socket}", patience=0.5)
