"""The names that `import cookmas` gives; each is imported when it is first used."""

from cookmas.api import Run as Run
from cookmas.api import aplay as aplay
from cookmas.api import play as play
from cookmas.episodes.trace_file import read_trace as read_trace
from cookmas.forking import afork as afork
from cookmas.forking import fork as fork
from cookmas.loading import load_planner as load_planner
from cookmas.loading import load_scenario as load_scenario
from cookmas.orchestrator.episode import episode_of as episode_of
from cookmas.replaying import judge as judge
from cookmas.replaying import replay as replay
from cookmas.replaying import truth_of as truth_of
from cookmas.studies.report.frame import frame as frame

__version__: str
