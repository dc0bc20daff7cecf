"""Sends a session, an error with its cause and a message."""
import sentry_sdk
from sentry_sdk import Hub

sentry_sdk.init(release="bench@1.4.0", environment="lab-3", auto_session_tracking=False)
Hub.current.start_session(session_mode="application")
sentry_sdk.set_user({"id": "7", "username": "alice", "email": "alice@example.com"})
sentry_sdk.set_tag("instrument", "spectrometer-2")
sentry_sdk.add_breadcrumb(category="bench", message="shutter opened", level="info", data={"position": 3})


def open_device():
    raise ConnectionError("port 7 does not answer")


def read_measurement():
    try:
        open_device()
    except ConnectionError as error:
        raise ValueError("measurement QX-7 was not read") from error


try:
    read_measurement()
except ValueError as error:
    sentry_sdk.capture_exception(error)
sentry_sdk.capture_message("calibration is 3 days old", "warning")
Hub.current.end_session()
sentry_sdk.flush(10)
