"""The command line `cookmas`: its commands and exit codes, as in docs/reference/cli.md."""

from __future__ import annotations

import contextlib
import errno
import logging
import signal
import sys
from collections.abc import Iterator
from typing import Annotated, Any

import typer
from typer.core import TyperGroup
from typer.exceptions import TyperException

from cookmas.commands import (
    bench,
    check,
    diff,
    evaluate,
    fork,
    generate,
    guests,
    listing,
    live,
    model_server,
    new,
    operate,
    order,
    play,
    prompt,
    replay,
    report,
    run,
    runs,
    serve,
    show,
    view,
    worker,
)
from cookmas.commands.options.panels import GroupedCommand
from cookmas.commands.options.world import TAKES_SETTINGS
from cookmas.commands.signals import code, disregard, heed
from cookmas.display.terminal import (
    escape_what_cannot_be_shown,
    is_closed_terminal,
    say_error,
    tell,
    throw_away,
)
from cookmas.episodes.failure import FailedError, failure_of, is_foreign
from cookmas.files.errors import CookMASError
from cookmas.version import VERSION
from cookmas.world_names import commands_of_worlds

TAKE_WORDS = ("order", "change", "instruct")
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

    It imports the commands of worlds only to list all commands, or to find an unknown command.
    """

    def list_commands(self, ctx: Any) -> list[str]:
        """Return the names of all commands, those of worlds last."""
        self._add_commands_of_worlds()
        return super().list_commands(ctx)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Return a command by its name, None if there is none."""
        if cmd_name not in self.commands:
            self._add_commands_of_worlds()
        return super().get_command(ctx, cmd_name)

    def _add_commands_of_worlds(self) -> None:
        brought = typer.Typer(rich_markup_mode=None)
        for name, found in commands_of_worlds().items():
            if isinstance(found, typer.Typer):
                brought.add_typer(found, name=name)
            else:
                brought.command(name)(found)
        self.commands.update(typer.main.get_group(brought).commands)

    def make_context(self, *args: Any, **named: Any) -> Any:
        with _interruptible():
            try:
                return super().make_context(*args, **named)
            except OSError as error:
                _report_os_error(error)
                raise typer.Exit(2) from None

    def invoke(self, ctx: Any) -> Any:
        with _interruptible():
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
            except (Exception, SystemExit) as error:
                if not is_foreign(error):
                    raise
                say_error(failure_of(error))
                raise typer.Exit(1) from None
            raise typer.Exit(2)


@contextlib.contextmanager
def _interruptible() -> Iterator[None]:
    try:
        yield
    except KeyboardInterrupt as error:
        say_error("interrupted; the same command starts again")
        raise typer.Exit(code(error)) from None


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
    help="An orchestrator plans from prose recipes; workers cook in a kitchen.",
)


def _say_version(asked: bool) -> None:
    if asked:
        tell(f"cookmas {VERSION}")
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


app.command("run", context_settings=TAKES_SETTINGS)(run.run)
app.command("play", context_settings=TAKES_SETTINGS)(play.play)
app.command("resume")(run.resume)
app.command("fork")(fork.fork)
app.command("serve")(serve.serve)
app.command("order")(order.order)
app.command("change")(order.change)
app.command("cancel")(order.cancel)
app.command("instruct")(order.instruct)
app.command("status")(operate.status)
app.command("withdraw")(operate.withdraw)
app.command("backup")(operate.backup)
app.command("close")(order.close)
app.command("worker")(worker.worker)
app.add_typer(guests.app, name="guest")
app.command("quarantine")(guests.quarantine)
app.command("list")(listing.list_scenarios)
app.command("show", context_settings=TAKES_SETTINGS)(show.show)
app.command("runs")(runs.runs)
app.command("diff")(diff.diff)
app.command("view")(view.view)
app.command("live")(live.live)
app.command("replay")(replay.replay)
app.command("eval")(evaluate.evaluate)
app.command("bench")(bench.bench)
app.command("report")(report.report)
app.command("rescore")(report.rescore)
app.command("check")(check.check)
app.command("generate")(generate.generate)
app.add_typer(new.app, name="new")
app.command("graph")(show.graph)
app.command("prompt", context_settings=TAKES_SETTINGS)(prompt.prompt)
app.command("model-server")(model_server.model_server)

for _command in app.registered_commands:
    _command.cls = GroupedCommand


def main() -> None:
    """Run the command line. User-supplied planners may also be modules in the current folder."""
    heed()
    escape_what_cannot_be_shown()
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
