import io.sentry.Breadcrumb;
import io.sentry.Sentry;
import io.sentry.SentryLevel;
import io.sentry.protocol.User;

/** Sends a session, an error with its cause and a message. */
public class Client {
  static void openDevice() {
    throw new IllegalArgumentException("port 7 does not answer");
  }

  static void readMeasurement() {
    try {
      openDevice();
    } catch (IllegalArgumentException error) {
      throw new IllegalStateException("measurement QX-7 was not read", error);
    }
  }

  public static void main(String[] args) {
    Sentry.init(
        options -> {
          options.setDsn(System.getenv("SENTRY_DSN"));
          options.setRelease("bench@1.4.0");
          options.setEnvironment("lab-3");
        });
    Sentry.startSession();
    User user = new User();
    user.setId("7");
    user.setUsername("alice");
    user.setEmail("alice@example.com");
    Sentry.setUser(user);
    Sentry.setTag("instrument", "spectrometer-2");
    Breadcrumb breadcrumb = new Breadcrumb("shutter opened");
    breadcrumb.setCategory("bench");
    breadcrumb.setLevel(SentryLevel.INFO);
    breadcrumb.setData("position", 3);
    Sentry.addBreadcrumb(breadcrumb);
    try {
      readMeasurement();
    } catch (IllegalStateException error) {
      Sentry.captureException(error);
    }
    Sentry.captureMessage("calibration is 3 days old", SentryLevel.WARNING);
    Sentry.endSession();
    Sentry.flush(10_000);
    Sentry.close();
  }
}
