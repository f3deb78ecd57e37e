"""The command line `cookmas`: its commands and exit codes, as in docs/reference/cli.md."""

from __future__ import annotations

import contextlib
import errno
import importlib
import logging
import signal
import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any, NoReturn

import typer
from typer.core import TyperGroup
from typer.exceptions import TyperException

from cookmas import __version__
from cookmas.commands.options.fields import GroupedCommand
from cookmas.commands.options.shared import TAKES_SETTINGS
from cookmas.commands.signals import code, disregard, heed
from cookmas.display.terminal import (
    escape_what_cannot_be_shown,
    hide_secrets_in_logs,
    is_closed_terminal,
    say_error,
    tell,
    throw_away,
)
from cookmas.episodes.failure import FailedError, failure_of, is_foreign
from cookmas.files.errors import CookMASError
from cookmas.world_names import COMMANDS as COMMANDS_OF_WORLDS

COMMANDS: Mapping[str, str] = {
    "run": "cookmas.commands.run:run",
    "play": "cookmas.commands.play:play",
    "resume": "cookmas.commands.run:resume",
    "fork": "cookmas.commands.fork:fork",
    "serve": "cookmas.commands.serve:serve",
    "send": "cookmas.commands.order:send",
    "order": "cookmas.commands.order:order",
    "change": "cookmas.commands.order:change",
    "cancel": "cookmas.commands.order:cancel",
    "instruct": "cookmas.commands.order:instruct",
    "status": "cookmas.commands.operate:status",
    "withdraw": "cookmas.commands.operate:withdraw",
    "backup": "cookmas.commands.operate:backup",
    "close": "cookmas.commands.order:close",
    "worker": "cookmas.commands.worker:worker",
    "quarantine": "cookmas.commands.guests:quarantine",
    "list": "cookmas.commands.listing:list_scenarios",
    "show": "cookmas.commands.show:show",
    "runs": "cookmas.commands.runs:runs",
    "diff": "cookmas.commands.diff:diff",
    "why": "cookmas.commands.why:why",
    "view": "cookmas.commands.view:view",
    "live": "cookmas.commands.live:live",
    "replay": "cookmas.commands.replay:replay",
    "eval": "cookmas.commands.evaluate:evaluate",
    "bench": "cookmas.commands.bench:bench",
    "ask": "cookmas.commands.ask:ask",
    "questions": "cookmas.commands.ask:questions",
    "report": "cookmas.commands.report:report",
    "rescore": "cookmas.commands.report:rescore",
    "check": "cookmas.commands.check:check",
    "solve": "cookmas.commands.solve:solve",
    "generate": "cookmas.commands.generate:generate",
    "graph": "cookmas.commands.show:graph",
    "prompt": "cookmas.commands.prompt:prompt",
    "endpoint": "cookmas.commands.endpoint:endpoint",
    "model-server": "cookmas.commands.model_server:model_server",
    "guest": "cookmas.commands.guests:app",
    "new": "cookmas.commands.new:app",
    **COMMANDS_OF_WORLDS,
}
"""Every command: `module:function`, or `module:app` of Typer, which is imported on demand."""

TAKE_SETTINGS = ("run", "play", "serve", "show", "prompt")
"""Commands whose arguments end with settings of the scenario."""

TAKE_WORDS = ("send", "order", "change", "instruct")
"""Commands whose arguments are free text of a guest or a supervisor."""


def _describe_usage_error(error: Any) -> str:
    """Return the message for an invalid command line, with the command that shows help."""
    where = error.ctx.command_path if error.ctx else "cookmas"
    said = f"{error.format_message().rstrip('.')}; '{where} -h' says what there is"
    if type(error).__name__ == "NoSuchOption" and error.ctx and error.ctx.info_name in TAKE_WORDS:
        return f"{said}; words that begin with a dash stand behind --"
    return said


class _Commands(TyperGroup):
    """Command group that prints one line for bad input instead of a traceback.

    It imports a command to call it, and all of them to list them or to suggest a similar name.
    """

    def list_commands(self, ctx: Any) -> list[str]:
        """Return the names of all commands, those of worlds last."""
        return [*COMMANDS]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Return a command by its name, None if there is none."""
        wanted = [cmd_name] if cmd_name in COMMANDS else [*COMMANDS]
        for name in wanted:
            if name not in self.commands:
                self.commands[name] = _make_command(name)
        return super().get_command(ctx, cmd_name)

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        windows_expand_args: bool = True,
        **extra: Any,
    ) -> NoReturn:
        """Run a command, and raise SystemExit with its exit code.

        All of it is one interruptible block: Typer's own method ends with 130, whichever the signal
        is, if one comes between its steps.
        """
        words = sys.argv[1:] if args is None else [*args]
        name = prog_name or "cookmas"
        try:
            with _interruptible():
                self._main_shell_completion({}, name, complete_var)
                with self.make_context(name, words) as ctx:
                    self.invoke(ctx)
        except typer.Exit as ended:
            sys.exit(ended.exit_code)
        except TyperException as error:
            wrong: Any = error
            wrong.show()
            sys.exit(wrong.exit_code)
        except (EOFError, typer.Abort):
            say_error("the input has ended")
            sys.exit(1)
        sys.exit(0)

    def make_context(self, *args: Any, **named: Any) -> Any:
        try:
            return super().make_context(*args, **named)
        except OSError as error:
            _report_os_error(error)
            raise typer.Exit(2) from None

    def invoke(self, ctx: Any) -> Any:
        try:
            try:
                return super().invoke(ctx)
            finally:
                sys.stdout.flush()
        except FailedError as error:
            say_error(error)
            raise typer.Exit(1) from None
        except CookMASError as error:
            say_error(error)
        except TyperException as error:
            say_error(_describe_usage_error(error))
        except OSError as error:
            _report_os_error(error)
        except MemoryError:
            say_error("there is not enough memory; allow more, or play fewer at a time")
        except (Exception, SystemExit) as error:
            if not is_foreign(error):
                raise
            say_error(failure_of(error))
            raise typer.Exit(1) from None
        raise typer.Exit(2)


def _make_command(name: str) -> Any:
    module, _, attribute = COMMANDS[name].partition(":")
    command = getattr(importlib.import_module(module), attribute)
    made = typer.Typer(rich_markup_mode=None)
    if isinstance(command, typer.Typer):
        made.add_typer(command, name=name)
    else:
        settings = TAKES_SETTINGS if name in TAKE_SETTINGS else None
        made.command(name, cls=GroupedCommand, context_settings=settings)(command)
    return typer.main.get_group(made).commands[name]


@contextlib.contextmanager
def _interruptible() -> Iterator[None]:
    try:
        yield
    except (KeyboardInterrupt, typer.Abort) as error:
        stopped = error.__context__ if isinstance(error, typer.Abort) else error
        if not isinstance(stopped, KeyboardInterrupt):
            raise
        say_error("interrupted; the same command starts again")
        raise typer.Exit(code(stopped)) from None


def _report_os_error(error: OSError) -> None:
    """Print an error of the operating system.

    If the reader of standard output is gone, raise Exit and print nothing, as other programs do.
    """
    if error.filename is None:
        lost = is_closed_terminal(sys.stdout)
        throw_away(sys.stdout)
        if lost:
            raise typer.Exit(128 + signal.SIGHUP)
        if error.errno == errno.EPIPE:
            raise typer.Exit(128 + signal.SIGPIPE)
    say_error(f"{error.filename or 'standard output'}: {error.strerror or error}")


app = typer.Typer(
    cls=_Commands,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
    help="An orchestrator plans from prose, and workers act in a simulated or a real world.",
)


def _say_version(asked: bool) -> None:
    if asked:
        tell(f"cookmas {__version__}")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool,
        typer.Option(
            "--version", is_eager=True, callback=_say_version, help="Print the version of CookMAS."
        ),
    ] = False,
) -> None:
    """Options that come before a command."""


def main() -> None:
    """Run the command line. User-supplied planners may also be modules in the current folder."""
    heed()
    escape_what_cannot_be_shown()
    hide_secrets_in_logs()
    _discard_log_of_psycopg()
    sys.path.append("")
    try:
        app(prog_name="cookmas")
    finally:
        disregard()


def _discard_log_of_psycopg() -> None:
    """Drop the log of each failed attempt to connect, because the error of the last is enough."""
    logging.getLogger("psycopg").addHandler(logging.NullHandler())


if __name__ == "__main__":
    main()
