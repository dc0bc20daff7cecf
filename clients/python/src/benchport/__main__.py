"""`python -m benchport`: lists and downloads measurements."""

from __future__ import annotations

import argparse
import os
import sys
from typing import Any

from .client import Client
from .common.errors import DownloadError
from .common.version import __version__
from .download.progress import Progress
from .http.settings import read_token_file


def main(arguments: list[str] | None = None) -> int:
    """Runs a command. Returns the exit status: 0, 1 for a failure, 130 when interrupted."""
    options = _parser().parse_args(arguments)
    try:
        token = None if options.token_file is None else read_token_file(options.token_file)
        client = Client(options.url, token, ca=options.ca, certificate=options.certificate)
        with client:
            options.run(client, options)
            sys.stdout.flush()
        return 0
    except KeyboardInterrupt:
        print("\nStopped. Run the same command again to continue.", file=sys.stderr)
        return 130
    except DownloadError as error:
        for path, why in error.failures.items():
            print(f"benchport: {path}: {why}", file=sys.stderr)
        print(f"benchport: {error}", file=sys.stderr)
        return 1
    except BrokenPipeError:
        # The program that reads, such as `head`, has what it wanted.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        print(f"benchport: {error}", file=sys.stderr)
        return 1


def _get(client: Client, options: Any) -> None:
    measurement = client.measurement(options.id)
    shown = _show if sys.stderr.isatty() else None
    folder = measurement.download(
        options.to, options.file or None, shown, connections=options.connections
    )
    if shown is not None:
        print(file=sys.stderr)
    print(f"{folder}  verified")


def _list(client: Client, options: Any) -> None:
    if options.id is None:
        for summary in client.measurements(options.search):
            print(f"{summary.id}  {summary.file_count} files, {summary.total_bytes} bytes")
        return
    measurement = client.measurement(options.id)
    for path in measurement:
        entry = measurement.entry(path)
        print(f"{entry.sha256}  {entry.length}  {path}")


def _show(progress: Progress) -> None:
    share = 100 * progress.done_bytes // max(progress.total_bytes, 1)
    files = f"{progress.done_files} of {progress.total_files} files"
    print(f"\r{share:3d} %, {files}", end="", file=sys.stderr, flush=True)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m benchport", description="Measurements of a Benchport server."
    )
    parser.add_argument("--version", action="version", version=__version__)
    parser.add_argument("--url", help="base URL of the server (BENCHPORT_URL)")
    parser.add_argument("--token-file", help="file with the token (BENCHPORT_TOKEN_FILE)")
    parser.add_argument("--ca", help="PEM file with authorities to trust")
    parser.add_argument("--certificate", help="SHA-256 of the only certificate to trust")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    get = commands.add_parser("get", help="download a measurement, resumable and verified")
    get.add_argument("id")
    get.add_argument("--to", required=True, help="folder in which the measurement gets one")
    get.add_argument("--file", action="append", help="only this file; may be repeated")
    get.add_argument("--connections", type=int, default=4, choices=range(1, 17), metavar="1-16")
    get.set_defaults(run=_get)
    listing = commands.add_parser("list", help="list measurements, or the files of one")
    listing.add_argument("id", nargs="?")
    listing.add_argument("--search", help="part of an id or title")
    listing.set_defaults(run=_list)
    return parser


if __name__ == "__main__":
    sys.exit(main())
