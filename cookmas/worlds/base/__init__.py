"""The base of all worlds: what a world and its domain override, then the machinery."""

from cookmas.episodes.base import World as World
from cookmas.episodes.level import Level as Level
from cookmas.episodes.messages import MessageField as MessageField
from cookmas.episodes.messages import MessageForm as MessageForm
from cookmas.episodes.scenario import FileScenario as FileScenario
from cookmas.episodes.world import Ending as Ending
from cookmas.episodes.world import Ruling as Ruling
from cookmas.episodes.world import Tally as Tally
from cookmas.episodes.world import Trigger as Trigger
from cookmas.worlds.base.domain import PLANNERS as PLANNERS
from cookmas.worlds.base.domain import Domain as Domain
