import { pino, type DestinationStream, type Logger, type LoggerOptions } from 'pino';

/** Names of members that are redacted wherever they stand in a logged object. */
const secrets = [
  'authorization',
  'cookie',
  'password',
  'token',
  'secret',
  'access_token',
  'refresh_token',
  'client_secret',
  'code',
];
const paths = [
  ...secrets.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]),
  ...['private-token', 'set-cookie', 'x-benchport-launch-secret', 'x-csrf-token'].flatMap((name) => [
    `*["${name}"]`,
    `*.*["${name}"]`,
  ]),
];

/** Standard error, so that standard output stays free for the output of commands. */
export function standardError(): DestinationStream {
  return pino.destination({ dest: 2, sync: false });
}

/**
 * Logs JSON lines, by default to standard error.
 *
 * @param onError called with each logged error and the message beside it.
 */
export function createLogger(
  level: string,
  destination: DestinationStream = standardError(),
  onError: ((error: Error, message: string) => void) | null = null,
): Logger {
  const silent = level === 'silent';
  return pino(
    {
      // Errors are reported through `onError` even where logging is off.
      level: silent && onError !== null ? 'error' : level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: { paths, censor: '[redacted]' },
      ...(onError === null ? {} : { hooks: { logMethod: tellingErrors(onError) } }),
    },
    silent ? { write: () => {} } : destination,
  );
}

type LogMethod = NonNullable<NonNullable<LoggerOptions['hooks']>['logMethod']>;

const errorLevel = 50;

function tellingErrors(onError: (error: Error, message: string) => void): LogMethod {
  return function tell(this: Logger, args, method, level) {
    method.apply(this, args);
    if (level < errorLevel) return;
    const [fields, message]: readonly unknown[] = args;
    const error = typeof fields === 'object' && fields !== null && 'err' in fields ? fields.err : null;
    if (error instanceof Error) onError(error, typeof message === 'string' ? message : '');
  };
}

// Our tokens, secrets, codes and cookies, within any other text.
const secretShape = /bp[a-z]{2,3}-[0-9a-z]{16,}|[0-9a-f]{32,}/gi;

/** Longer addresses say no more, and requests for missing pages must not fill the log. */
const maxAddressLength = 2000;

/**
 * A request's address for the log: the path, and the names of the query without their values. A
 * secret belongs in neither, but a mistaken program may put it there, and the log must not keep it.
 */
export function urlForLog(url: string): string {
  const mark = url.indexOf('?');
  const names = mark < 0 ? [] : [...new URLSearchParams(url.slice(mark + 1)).keys()];
  const query = mark < 0 ? '' : `?${names.map((name) => `${encodeURIComponent(name)}=`).join('&')}`;
  return `${mark < 0 ? url : url.slice(0, mark)}${query}`
    .replaceAll(secretShape, '[redacted]')
    .slice(0, maxAddressLength);
}

const levels = ['debug', 'info', 'warn', 'error', 'silent'] as const;

/** The log level of the environment variable BENCHPORT_LOG; `info` unless it names a level. */
export function logLevel(environment: NodeJS.ProcessEnv): (typeof levels)[number] {
  return levels.find((level) => level === environment['BENCHPORT_LOG']) ?? 'info';
}
