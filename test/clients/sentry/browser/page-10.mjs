import * as Sentry from 'sentry-browser-10';

globalThis.Sentry = Sentry;
