import * as Sentry from 'sentry-browser-11';

globalThis.Sentry = Sentry;
