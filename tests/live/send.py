"""A process that sends messages to an open kitchen in order, and logs the answers.

    send.py KITCHEN SENDER COUNT SEED LOG [PATIENCE]

A second start sends all unanswered messages again with the same ids. It also repeats a message that
was not stored, or whose storing is uncertain, or that has no answer within PATIENCE seconds.
"""

import json
import random
import sys
import time
from pathlib import Path

from cookmas.client import Client
from cookmas.files.errors import InfrastructureError
from cookmas.mailboxes.protocol import Answer

ITEMS = ("Buttered Toast", "Garden Salad", "French Fries", "buttered toast: dark, please")


def until_kept(kitchen: Client, event: dict[str, object], name: str) -> Answer:
    """Send a message again and again until it has an answer."""
    until = time.monotonic() + 300
    while True:
        try:
            answer = kitchen.send(event, id=name)
        except InfrastructureError:
            if time.monotonic() > until:
                raise
            time.sleep(0.1)
        else:
            assert answer is not None
            return answer


def main(where: str, sender: str, count: int, seed: int, log: Path, patience: float = 300) -> None:
    chance = random.Random(seed)
    logged = [json.loads(line) for line in log.read_text().splitlines()] if log.exists() else []
    answered = {entry["id"]: entry["answer"] for entry in logged}
    orders: list[str] = []
    with Client(where, sender, patience=patience) as kitchen, log.open("a") as file:
        for number in range(count):
            event: dict[str, object] = {"kind": "new_order", "words": chance.choice(ITEMS)}
            if orders and chance.random() < 0.3:
                event = {"kind": "cancel", "name": orders.pop()}
            elif orders and chance.random() < 0.2:
                event = {"kind": "change_line", "line": f"{orders[-1]}.1", "note": "light, please"}
            name = f"{sender}-{number}"
            if name not in answered:
                answer = until_kept(kitchen, event, name)
                answered[name] = answer.model_dump()
                file.write(
                    json.dumps({"id": name, "event": event, "answer": answered[name]}) + "\n"
                )
                file.flush()
            if event["kind"] == "new_order" and answered[name]["status"] != "refused":
                orders.append(answered[name]["about"])


if __name__ == "__main__":
    where, sender, count, seed, log, *patience = sys.argv[1:]
    main(where, sender, int(count), int(seed), Path(log), *map(float, patience))
