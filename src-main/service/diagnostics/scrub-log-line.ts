import { stackFrames } from './stack-frames.ts';
import { parseJson } from '../common/parse-json.ts';
import { scrubText, withoutPaths } from './scrub-text.ts';

/**
 * Members of a log line that are shown; every other member may name a person, a file or a
 * measurement.
 */
const kept = [
  'level',
  'time',
  'msg',
  'reqId',
  'method',
  'status',
  'ms',
  'reason',
  'code',
  'job',
  'fetch',
  'tls',
  'port',
  'what',
  'count',
  'bytes',
];
/** Parts of addresses that belong to the API; others are names or ids. */
const ownSegments = new Set(
  (
    'api v4 v1 docs openapi.json local measurements files archive grants verify checksums jobs events users managed user account password totp sessions session ' +
    'confirm setup personal_access_tokens self rotate applications authorized_applications renew_secret projects mine members errors merge unmerge raw error_tracking ' +
    'collector store envelope settings client_keys intake test_event releases source_maps oauth token authorize authorize_device device info introspect revoke userinfo ' +
    'discovery keys .well-known sign_in sign_out profile audit_events audit_events.csv retention downloads downloads.csv transfers running past service sharing application fetches fetch-settings fetch-folder ' +
    'servers discovered-servers registrations inspect exports stage sample ignore-list own_errors own-errors diagnostics diagnostics.zip - health readiness metrics ui assets ' +
    'latest oldest error_tracking.json details.json stack_trace.json projects.json certificate.pem 0 issues organizations backup'
  ).split(' '),
);

/**
 * Returns a line of the log that may leave the machine. Lines that are not log entries are replaced
 * by a placeholder.
 */
export function scrubLogLine(line: string, known: readonly string[]): string {
  const fields = parsed(line);
  if (!fields) return '[a line that is not of the log]';
  const shown: Record<string, unknown> = {};
  for (const name of kept) if (name in fields) shown[name] = scrubbed(fields[name], known);
  if (typeof fields['url'] === 'string') shown['url'] = scrubAddress(fields['url'], known);
  const error = fields['err'];
  if (typeof error === 'object' && error !== null) shown['err'] = scrubError(error, known);
  return JSON.stringify(shown);
}

function parsed(line: string): Record<string, unknown> | null {
  const value = parseJson(line);
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
}

function scrubbed(value: unknown, known: readonly string[]): unknown {
  if (typeof value === 'string') return withoutPaths(scrubText(value, known));
  return typeof value === 'object' ? '[left out]' : value;
}

function scrubError(error: object, known: readonly string[]): Record<string, unknown> {
  const { type, code, message, stack } = error as Record<string, unknown>;
  return {
    type: scrubbed(type, known),
    code: scrubbed(code, known),
    message: scrubbed(message, known),
    // Its first lines repeat the message, and the program's location may name a person.
    stack:
      typeof stack === 'string'
        ? stackFrames(stack)
            .toReversed()
            .map((frame) => scrubText(`${frame.function} ${frame.filename}:${frame.lineno}:${frame.colno}`, known))
        : undefined,
  };
}

function scrubAddress(url: string, known: readonly string[]): string {
  const [path = '', query] = scrubText(url, known).split('?', 2);
  const segments = path
    .split('/')
    .map((segment) => (segment === '' || ownSegments.has(segment) || /^\d{1,10}$/.test(segment) ? segment : ':name'));
  return segments.join('/') + (query === undefined ? '' : `?${query}`);
}
