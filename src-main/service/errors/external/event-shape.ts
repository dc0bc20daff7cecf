import type { Breadcrumb, ErrorEvent, ErrorException, Level, StackFrame } from '../../contract/errors.ts';
import { asText, integerMember, listOf, memberOf, objectMember, textMember, timeMember } from './read-json.ts';

const levels: readonly Level[] = ['fatal', 'error', 'warning', 'info', 'debug'];

/**
 * Converts an event of Sentry's interface to ours.
 *
 * @returns null when it lacks its id or its time.
 */
export function eventOf(event: unknown): ErrorEvent | null {
  const id = textMember(event, 'eventID')?.replaceAll('-', '') ?? '';
  const occurred = timeMember(event, 'dateCreated') ?? timeMember(event, 'dateReceived');
  if (!/^[0-9a-f]{32}$/i.test(id) || occurred === null) return null;
  const entry = (type: string) =>
    memberOf(
      listOf(memberOf(event, 'entries')).find((one) => textMember(one, 'type') === type),
      'data',
    );
  const tags = tagsOf(event);
  const tag = (name: string) => tags.find(([key]) => key === name)?.[1] ?? null;
  const message = entry('message');
  const formatted =
    textMember(message, 'formatted') ??
    textMember(message, 'message') ??
    (entry('exception') === undefined ? textMember(event, 'message') : null);
  const request = entry('request');
  return {
    event_id: id.toLowerCase(),
    received_at: timeMember(event, 'dateReceived') ?? occurred,
    occurred_at: occurred,
    level: levels.find((level) => level === tag('level')) ?? 'error',
    platform: textMember(event, 'platform') ?? 'other',
    environment: tag('environment'),
    release: textMember(memberOf(event, 'release'), 'version') ?? tag('release'),
    server_name: tag('server_name'),
    logger: tag('logger'),
    transaction: tag('transaction') ?? textMember(event, 'culprit'),
    message:
      formatted === null
        ? null
        : { formatted, template: textMember(message, 'message'), params: memberOf(message, 'params') ?? null },
    exceptions: listOf(memberOf(entry('exception'), 'values')).map((one) => exceptionOf(one)),
    threads: listOf(memberOf(entry('threads'), 'values')).map((one) => ({
      id: textMember(one, 'id'),
      name: textMember(one, 'name'),
      crashed: memberOf(one, 'crashed') === true,
      current: memberOf(one, 'current') === true,
      frames: framesOf(one),
    })),
    breadcrumbs: listOf(memberOf(entry('breadcrumbs'), 'values')).map((one) => breadcrumbOf(one)),
    tags,
    user: userOf(event),
    request: typeof request === 'object' && request !== null ? { ...request } : null,
    contexts: objectMember(event, 'contexts'),
    extra: objectMember(event, 'context'),
    modules: Object.fromEntries(
      Object.entries(objectMember(event, 'packages')).flatMap(([name, version]) =>
        typeof version === 'string' ? [[name, version]] : [],
      ),
    ),
    sdk: memberOf(event, 'sdk')
      ? { name: textMember(memberOf(event, 'sdk'), 'name'), version: textMember(memberOf(event, 'sdk'), 'version') }
      : null,
    fingerprint: listOf(memberOf(event, 'fingerprints')).flatMap((part) => asText(part) ?? []),
    shortened: false,
  };
}

function userOf(event: unknown): ErrorEvent['user'] {
  const { id, username, email, ip_address: address, ...more } = objectMember(event, 'user');
  if (id === undefined && username === undefined && email === undefined && address === undefined) return null;
  return { id: asText(id), username: asText(username), email: asText(email), ip_address: asText(address), more };
}

function tagsOf(event: unknown): [string, string][] {
  return listOf(memberOf(event, 'tags')).flatMap((tag): [string, string][] => {
    const [name, value] = [textMember(tag, 'key'), textMember(tag, 'value')];
    return name === null || value === null ? [] : [[name, value]];
  });
}

function exceptionOf(value: unknown): ErrorException {
  const mechanism = memberOf(value, 'mechanism');
  const handled = memberOf(mechanism, 'handled');
  return {
    type: textMember(value, 'type'),
    value: textMember(value, 'value'),
    module: textMember(value, 'module'),
    handled: typeof handled === 'boolean' ? handled : null,
    synthetic: memberOf(mechanism, 'synthetic') === true,
    frames: framesOf(value),
  };
}

function framesOf(holder: unknown): StackFrame[] {
  return listOf(memberOf(memberOf(holder, 'stacktrace'), 'frames')).map((frame) => {
    const line = integerMember(frame, 'lineNo');
    const context = listOf(memberOf(frame, 'context')).flatMap((pair) => {
      const [number, text] = listOf(pair);
      return typeof number === 'number' ? [{ number, text: typeof text === 'string' ? text : '' }] : [];
    });
    const lines = (chosen: (number: number) => boolean) =>
      context.filter(({ number }) => chosen(number)).map(({ text }) => text);
    const vars = memberOf(frame, 'vars');
    return {
      function: textMember(frame, 'function'),
      module: textMember(frame, 'module'),
      filename: textMember(frame, 'filename'),
      abs_path: textMember(frame, 'absPath'),
      line,
      column: integerMember(frame, 'colNo'),
      in_app: memberOf(frame, 'inApp') === true,
      pre_context: line === null ? [] : lines((number) => number < line),
      context_line: line === null ? null : (lines((number) => number === line)[0] ?? null),
      post_context: line === null ? [] : lines((number) => number > line),
      vars: typeof vars === 'object' && vars !== null ? objectMember(frame, 'vars') : null,
    };
  });
}

function breadcrumbOf(value: unknown): Breadcrumb {
  return {
    timestamp: timeMember(value, 'timestamp'),
    type: textMember(value, 'type'),
    category: textMember(value, 'category'),
    level: textMember(value, 'level'),
    message: textMember(value, 'message'),
    data: memberOf(value, 'data') ? objectMember(value, 'data') : null,
  };
}
