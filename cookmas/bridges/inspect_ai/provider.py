"""The scripted model as an Inspect provider: no key, no network.

inspect eval cookmas/level1 --model cookmas/scripted -M faults=illegal=0.1,prose=0.2 -M seed=1
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from inspect_ai.model import (
    ChatMessage,
    GenerateConfig,
    ModelAPI,
    ModelInfo,
    ModelOutput,
    modelapi,
    set_model_info,
)
from inspect_ai.tool import ToolChoice, ToolInfo
from tenacity import wait_fixed
from tenacity.wait import WaitBaseT

from cookmas.bridges.inspect_ai.messages import from_inspect, output_of, translate_errors
from cookmas.files.errors import InfrastructureError, InputError
from cookmas.modelserver.answers import ScriptedModel
from cookmas.modelserver.faults import Faults, parse_rates
from cookmas.world_names import WORLDS

BUSY = "status_429"
"""The only network fault of this provider: the provider rejects a request, and a retry may succeed.
"""


class BusyError(InfrastructureError):
    """The provider has too many requests; a retry may succeed."""


@modelapi(name="cookmas")
class ScriptedAPI(ModelAPI):
    """Provider whose answers are those of the model server: correct, except for `faults`.

    A fault has a name and a rate, such as `illegal=0.1`.
    """

    def __init__(
        self,
        model_name: str,
        base_url: str | None = None,
        api_key: str | None = None,
        config: GenerateConfig = GenerateConfig(),  # noqa: B008
        faults: str | Sequence[str] = (),
        seed: int = 0,
    ) -> None:
        super().__init__(model_name, base_url, api_key, [], config)
        with translate_errors():
            rates = parse_rates([faults] if isinstance(faults, str) else faults)
            busy = {BUSY: rates.pop(BUSY, 0.0)}
            if model_name != ScriptedModel.name:
                raise InputError(f"cookmas/{model_name}", f"expected cookmas/{ScriptedModel.name}")
            self._model = ScriptedModel(WORLDS, Faults(rates=rates, seed=seed))
        self._busy = Faults(rates=busy, seed=seed)
        self._attempts: Counter[str] = Counter()

    async def generate(
        self,
        input: list[ChatMessage],  # noqa: A002
        tools: list[ToolInfo],
        tool_choice: ToolChoice,
        config: GenerateConfig,
    ) -> ModelOutput:
        """Return the scripted model's answer. Raises BusyError if the fault BUSY occurs."""
        request = from_inspect(input, tools, config)
        digest = request.digest()
        self._attempts[digest] += 1
        if self._busy.strikes(BUSY, digest, self._attempts[digest]):
            raise BusyError("Too many requests.")
        answer, _ = await self._model.answer(request)
        return output_of(answer)

    def should_retry(self, ex: Exception) -> bool:
        """Return whether a retry may succeed."""
        return isinstance(ex, BusyError)

    def retry_wait(self) -> WaitBaseT:
        """Return the wait before a retry: 0.01 seconds, since there is no server to protect."""
        return wait_fixed(0.01)


set_model_info(f"cookmas/{ScriptedModel.name}", ModelInfo(organization="CookMAS"))
"""Inspect accepts prices (`--model-cost-config`) only for models that it knows."""
