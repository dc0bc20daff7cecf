import type { Breadcrumb, ErrorEvent, Level } from '../../contract/errors.ts';
import { fillTemplate } from './fill-template.ts';
import { recordsOf } from './normalise-stack.ts';
import { isOwnTime, readTime, type SenderClock } from './normalise-time.ts';
import type { Normaliser } from './normalise-values.ts';
import { asRecord } from './event-json.ts';
import { filtered, isSecretName } from './secret-names.ts';
import { withoutSecretTexts } from './secret-texts.ts';

const maxBreadcrumbs = 200;
const maxTags = 100;
const maxModules = 2000;
const maxParts = 100;
const maxTagLength = 200;
const maxMessageLength = 16 * 1024;
const maxNameLength = 255;

// Names that SDKs and logging libraries use for the five levels, including Python's numbers.
const levels: Readonly<Record<string, Level>> = {
  fatal: 'fatal',
  critical: 'fatal',
  '50': 'fatal',
  error: 'error',
  '40': 'error',
  warning: 'warning',
  warn: 'warning',
  '30': 'warning',
  info: 'info',
  log: 'info',
  notice: 'info',
  '20': 'info',
  debug: 'debug',
  trace: 'debug',
  '10': 'debug',
};

/** Returns `error` when no level is given, as the protocol requires. */
export function levelOf(value: unknown): Level {
  const name = String(typeof value === 'number' || typeof value === 'string' ? value : '').toLowerCase();
  return Object.hasOwn(levels, name) ? (levels[name] ?? 'error') : 'error';
}

/**
 * Reads the message in any of its shapes: a text, an object with `formatted`, or a `logentry`
 * beside it with the template.
 */
export function messageOf(normaliser: Normaliser, event: Readonly<Record<string, unknown>>): ErrorEvent['message'] {
  const entry =
    asRecord(event['logentry']) ?? asRecord(event['sentry.interfaces.Message']) ?? asRecord(event['message']);
  const plain = typeof event['message'] === 'object' ? null : normaliser.text(event['message'], maxMessageLength);
  const template = normaliser.text(entry?.['message'], maxMessageLength);
  const params = entry?.['params'] === undefined || entry['params'] === null ? null : normaliser.value(entry['params']);
  const formatted =
    normaliser.text(entry?.['formatted'], maxMessageLength) ??
    filled(normaliser, template, params) ??
    plain ??
    template;
  if (formatted === null || formatted === '') return null;
  return { formatted, template: template === formatted && params === null ? null : template, params };
}

function filled(normaliser: Normaliser, template: string | null, params: unknown): string | null {
  if (template === null || params === null) return null;
  // One character more than is kept, so that a message that is cut is marked as cut.
  return normaliser.text(fillTemplate(template, params, maxMessageLength + 1), maxMessageLength);
}

/**
 * Reads the newest breadcrumbs, with the clock correction of the event, so that intervals are
 * preserved.
 */
export function breadcrumbsOf(normaliser: Normaliser, value: unknown, clock: SenderClock): Breadcrumb[] {
  const records = recordsOf(value);
  if (records.length > maxBreadcrumbs) normaliser.shortened = true;
  return records.slice(-maxBreadcrumbs).map((one) => {
    return {
      timestamp: timestampOf(one['timestamp'], clock),
      type: normaliser.name(one['type'], maxNameLength),
      category: normaliser.name(one['category'], maxNameLength),
      level: normaliser.name(one['level'], maxNameLength),
      message: normaliser.text(one['message'], maxMessageLength),
      data: withoutSecretTexts(normaliser.values(one['data'])),
    };
  });
}

function timestampOf(value: unknown, clock: SenderClock): string | null {
  if (clock.ahead === 0 && typeof value === 'string' && isOwnTime(value)) return value;
  const time = readTime(value);
  return time === null ? null : isoOf(time + clock.ahead);
}

function isoOf(time: number): string | null {
  return time >= 0 && time < 253_402_300_800_000 ? new Date(time).toISOString() : null;
}

/** Reads tags sent as an object, as pairs, or as objects with key and value. */
export function tagsOf(normaliser: Normaliser, value: unknown): [string, string][] {
  const pairs: readonly unknown[] = Array.isArray(value) ? value : Object.entries(asRecord(value) ?? {});
  const tags = new Map<string, string>();
  for (const pair of pairs) {
    const [name, text] = tagOf(normaliser, pair);
    if (name === null || text === null || tags.has(name)) continue;
    if (tags.size === maxTags) {
      normaliser.shortened = true;
      break;
    }
    tags.set(name, isSecretName(name) ? filtered : text);
  }
  return [...tags];
}

function tagOf(normaliser: Normaliser, pair: unknown): [string | null, string | null] {
  const record = asRecord(pair);
  const [name, value]: readonly unknown[] = Array.isArray(pair) ? pair : [record?.['key'], record?.['value']];
  return [normaliser.name(name, maxTagLength), normaliser.name(value, maxTagLength)];
}

/** @param address of the client, which replaces `{{auto}}`. */
export function eventUserOf(normaliser: Normaliser, value: unknown, address: string | null): ErrorEvent['user'] {
  const record = asRecord(value);
  if (record === null) return null;
  const { id, username, email, ip_address: ip, ...others } = record;
  const more =
    normaliser.values(Object.fromEntries(Object.entries(others).filter((member) => member[1] !== null))) ?? {};
  const user = {
    id: normaliser.name(id, maxNameLength),
    username: normaliser.name(username, maxNameLength),
    email: normaliser.name(email, maxNameLength),
    ip_address: ip === '{{auto}}' ? address : normaliser.name(ip, maxNameLength),
  };
  const empty = Object.values(user).every((part) => part === null) && Object.keys(more).length === 0;
  return empty ? null : { ...user, more };
}

/** Reads contexts by name; entries that are not objects are omitted. */
export function contextsOf(normaliser: Normaliser, value: unknown): Record<string, unknown> {
  const contexts = normaliser.values(value) ?? {};
  return Object.fromEntries(
    Object.entries(contexts).flatMap(([name, context]) => {
      const record = asRecord(context);
      return record === null
        ? []
        : [[name, Object.fromEntries(Object.entries(record).map(([key, one]) => [key, withoutLineEnd(one)]))]];
    }),
  );
}

/** Node sends the version of the operating system with the line end of the file it is read from. */
function withoutLineEnd(value: unknown): unknown {
  return typeof value === 'string' ? value.replace(/\r?\n$/, '') : value;
}

/** Reads packages with their versions. Go sends a single one without a name. */
export function modulesOf(normaliser: Normaliser, value: unknown): Record<string, string> {
  const sent = asRecord(value) ?? {};
  const names = Object.keys(sent);
  // The common case: copying hundreds of names into a new object took longer than all other steps
  // of a small event.
  if (names.length <= maxModules && names.every((name) => isPlainModule(normaliser, name, sent[name])))
    return sent as Record<string, string>;
  const modules: Record<string, string> = {};
  for (const [name, version] of normaliser.first(Object.entries(sent), maxModules)) {
    const key = normaliser.name(name, maxNameLength);
    if (key !== null && key !== '__proto__') modules[key] = normaliser.text(version, maxNameLength) ?? '';
  }
  return modules;
}

function isPlainModule(normaliser: Normaliser, name: string, version: unknown): boolean {
  return (
    name !== '__proto__' &&
    normaliser.name(name, maxNameLength) === name &&
    typeof version === 'string' &&
    normaliser.text(version, maxNameLength) === version
  );
}

export function sdkOf(normaliser: Normaliser, value: unknown): ErrorEvent['sdk'] {
  const record = asRecord(value);
  const sdk = {
    name: normaliser.name(record?.['name'], maxNameLength),
    version: normaliser.name(record?.['version'], maxNameLength),
  };
  return sdk.name === null && sdk.version === null ? null : sdk;
}

/** Reads the sender's own grouping key, each part as text. */
export function fingerprintOf(normaliser: Normaliser, value: unknown): string[] {
  const list = Array.isArray(value) ? value : value === null || value === undefined ? [] : [value];
  return normaliser.first(list, maxParts).flatMap((part) => normaliser.text(part, maxNameLength) ?? []);
}
