"""A process that sends messages to an open kitchen, one after the other, and logs the answers.

    send.py FOLDER SENDER COUNT SEED LOG

Started again it sends again whatever it has no answer to, with the same ids.
"""

import json
import random
import sys
from pathlib import Path

from cookmas.client import Client

ITEMS = ("Buttered Toast", "Garden Salad", "French Fries", "buttered toast: dark, please")


def main(folder: Path, sender: str, count: int, seed: int, log: Path) -> None:
    chance = random.Random(seed)
    logged = [json.loads(line) for line in log.read_text().splitlines()] if log.exists() else []
    answered = {entry["id"]: entry["answer"] for entry in logged}
    orders: list[str] = []
    with Client(folder, sender, patience=300) as kitchen, log.open("a") as file:
        for number in range(count):
            event: dict[str, object] = {"kind": "new_order", "words": chance.choice(ITEMS)}
            if orders and chance.random() < 0.3:
                event = {"kind": "cancel", "name": orders.pop()}
            elif orders and chance.random() < 0.2:
                event = {"kind": "change_line", "line": f"{orders[-1]}.1", "note": "light, please"}
            name = f"{sender}-{number}"
            if name not in answered:
                answer = kitchen.send(event, id=name)
                assert answer is not None
                answered[name] = answer.model_dump()
                file.write(
                    json.dumps({"id": name, "event": event, "answer": answered[name]}) + "\n"
                )
                file.flush()
            if event["kind"] == "new_order" and answered[name]["status"] != "refused":
                orders.append(answered[name]["about"])


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]), int(sys.argv[4]), Path(sys.argv[5]))
