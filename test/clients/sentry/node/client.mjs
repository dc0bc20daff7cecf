// Sends an error with its cause and a message through the SDK named by the argument; both releases
// have these calls.
const Sentry = await import(process.argv[2]);

Sentry.init({ dsn: process.env.SENTRY_DSN, release: 'bench@1.4.0', environment: 'lab-3' });
Sentry.setUser({ id: '7', username: 'alice', email: 'alice@example.com' });
Sentry.setTag('instrument', 'spectrometer-2');
Sentry.addBreadcrumb({ category: 'bench', message: 'shutter opened', level: 'info', data: { position: 3 } });

function openDevice() {
  throw new RangeError('port 7 does not answer');
}

function readMeasurement() {
  try {
    openDevice();
  } catch (error) {
    throw new TypeError('measurement QX-7 was not read', { cause: error });
  }
}

try {
  readMeasurement();
} catch (error) {
  Sentry.captureException(error);
}
Sentry.captureMessage('calibration is 3 days old', 'warning');
// The SDK ends its session when the event loop is empty.
await Sentry.flush(10_000);
