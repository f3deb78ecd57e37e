"""Options: checked values of a user, with an error of one line for an invalid one."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from files.errors import InputError


class Options(BaseModel):
    """Frozen named values. Raises InputError for the first invalid one."""

    model_config = ConfigDict(frozen=True, extra="forbid", protected_namespaces=())

    def __init__(self, **given: Any) -> None:
        try:
            super().__init__(**given)
        except ValidationError as error:
            first = error.errors(include_url=False)[0]
            option = str(first["loc"][0]).replace("_", "-")
            if first["type"] == "extra_forbidden":
                known = ", ".join(type(self).model_fields)
                raise InputError(option, f"there is no such option, only {known}") from None
            raise InputError(f"--{option}", f"{first['msg']}, not {first['input']!r}") from None
