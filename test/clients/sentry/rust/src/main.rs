//! Sends a session, an error with its cause and a message.
use sentry::protocol::{Breadcrumb, Map, User, Value};
use sentry::{Level, SessionMode};
use std::borrow::Cow;
use std::error::Error;
use std::fmt;

#[derive(Debug)]
struct ReadFailed(DeviceLost);
#[derive(Debug)]
struct DeviceLost;

impl fmt::Display for ReadFailed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "measurement QX-7 was not read")
    }
}
impl Error for ReadFailed {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        Some(&self.0)
    }
}
impl fmt::Display for DeviceLost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "port 7 does not answer")
    }
}
impl Error for DeviceLost {}

fn open_device() -> Result<(), DeviceLost> {
    Err(DeviceLost)
}

#[inline(never)]
fn read_measurement() {
    if let Err(cause) = open_device() {
        sentry::capture_error(&ReadFailed(cause));
    }
}

fn main() {
    let dsn = std::env::var("SENTRY_DSN").expect("a DSN");
    // Field by field: newer versions let nobody write the whole struct.
    let mut options = sentry::ClientOptions::default();
    options.release = Some(Cow::from("bench@1.4.0"));
    options.environment = Some(Cow::from("lab-3"));
    options.auto_session_tracking = false;
    options.session_mode = SessionMode::Application;
    options.attach_stacktrace = true;
    let guard = sentry::init((dsn, options));
    sentry::configure_scope(|scope| {
        scope.set_user(Some(User {
            id: Some("7".into()),
            username: Some("alice".into()),
            email: Some("alice@example.com".into()),
            ..Default::default()
        }));
        scope.set_tag("instrument", "spectrometer-2");
    });
    // Takes the user as it is now.
    sentry::start_session();
    sentry::add_breadcrumb(Breadcrumb {
        category: Some("bench".into()),
        message: Some("shutter opened".into()),
        level: Level::Info,
        data: Map::from([("position".to_string(), Value::from(3))]),
        ..Default::default()
    });
    read_measurement();
    sentry::capture_message("calibration is 3 days old", Level::Warning);
    sentry::end_session();
    drop(guard);
}
