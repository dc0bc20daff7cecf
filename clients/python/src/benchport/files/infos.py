"""Files and folders in the form that fsspec has for them."""

from __future__ import annotations

from datetime import datetime, timezone
from typing import Any

from .manifest import Entry

Info = dict[str, Any]


def folder_info(name: str) -> Info:
    """A folder."""
    return {"name": name, "size": 0, "type": "directory"}


def file_info(measurement_id: str, entry: Entry) -> Info:
    """A file with its checksums."""
    return {
        "name": f"{measurement_id}/{entry.path}",
        "size": entry.length,
        "type": "file",
        "sha256": entry.sha256,
        "crc32": entry.crc32,
        "ETag": entry.etag,
        "mimetype": entry.media_type,
        "created": time_of(entry.registration_time),
    }


def time_of(text: str) -> datetime:
    """A time of ISO 8601, in UTC if it names no zone."""
    # `Z` is not read before Python 3.11.
    time = datetime.fromisoformat(text.replace("Z", "+00:00"))
    return time if time.tzinfo else time.replace(tzinfo=timezone.utc)
