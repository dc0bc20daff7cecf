import type { Fetch } from '../../service/contract/fetches.ts';
import type { DegradedEvent, NewErrorEvent } from '../../service/contract/events.ts';

/** The kinds of notifications, each with its own switch. */
export type NoticeKind = 'finished' | 'failed' | 'error' | 'degraded';

/** An event worth a notification while the user is doing something else. */
export interface NotificationEvent {
  readonly kind: NoticeKind;
  readonly headline: string;
  readonly text: string;
  /** Address within the user interface that shows it. */
  readonly route: string;
  /** Address that shows several events of its kind. */
  readonly routeOfAll: string;
}

/** Texts of a notification, and the address that a click opens. */
export interface Notice {
  readonly title: string;
  readonly body: string;
  readonly route: string;
}

/**
 * Titles come from other servers and failing programs, so they are cut to one line of limited
 * length.
 */
const maxTextLength = 200;

/** The event for a fetch; undefined for states that are not worth a notification. */
export function fetchNotificationEvent(fetch: Fetch): NotificationEvent | undefined {
  const name = fetch.title ?? fetch.measurement_id;
  const place = { route: `/transfers/${fetch.id}`, routeOfAll: '/transfers' };
  switch (fetch.state) {
    case 'done':
      return {
        kind: 'finished',
        headline: 'Fetched and verified',
        text: oneLine(`${name}, from ${fetch.server_name}`),
        ...place,
      };
    case 'failed':
      return { kind: 'failed', headline: 'A fetch failed', text: oneLine(withReason(name, fetch.message)), ...place };
    case 'asking':
      return {
        kind: 'failed',
        headline: 'A fetch waits for you',
        text: oneLine(withReason(name, fetch.message)),
        ...place,
      };
    case 'queued':
    case 'running':
    case 'waiting':
    case 'paused':
    case 'cancelled':
      return undefined;
  }
}

/** The event for an error that is new or has reappeared. */
export function errorNotificationEvent(event: NewErrorEvent): NotificationEvent {
  const list = `/projects/${encodeURIComponent(event.project_path)}/errors`;
  return {
    kind: 'error',
    headline: oneLine(`${event.kind === 'new' ? 'New error' : 'An error came back'} in ${event.project_path}`),
    text: oneLine(event.title),
    route: `${list}/${encodeURIComponent(event.error_id)}`,
    routeOfAll: list,
  };
}

/** The event for a measurement with files that no longer match the registration. */
export function degradedNotificationEvent(event: DegradedEvent): NotificationEvent {
  return {
    kind: 'degraded',
    headline: 'A measurement is degraded',
    text: oneLine(`${event.title === '' ? event.measurement_id : event.title}: files are not as registered`),
    route: `/measurements/${encodeURIComponent(event.measurement_id)}`,
    routeOfAll: '/measurements?problems=true',
  };
}

/**
 * One notification for all collected events: the event itself, or counts per kind. `events` is not
 * empty.
 */
export function noticeOf(events: readonly NotificationEvent[]): Notice {
  const [first] = events;
  if (first === undefined) throw new Error('Nothing new.');
  if (events.length === 1) return { title: first.headline, body: first.text, route: first.route };
  const count = (kind: NoticeKind): number => events.filter((one) => one.kind === kind).length;
  const [finished, failed, errors, degraded] = [count('finished'), count('failed'), count('error'), count('degraded')];
  const parts = [
    ...(finished > 0 ? [finished === 1 ? '1 fetch finished' : `${finished} fetches finished`] : []),
    ...(failed > 0
      ? [failed === 1 ? '1 fetch failed or waits for you' : `${failed} fetches failed or wait for you`]
      : []),
    ...(errors > 0 ? [errors === 1 ? '1 error is new or came back' : `${errors} errors are new or came back`] : []),
    ...(degraded > 0 ? [degraded === 1 ? '1 measurement is degraded' : `${degraded} measurements are degraded`] : []),
  ];
  // Failures are the most important, so they decide where a click leads.
  const leading =
    events.find(({ kind }) => kind === 'failed') ?? events.find(({ kind }) => kind === 'degraded') ?? first;
  const goesFirst = leading.kind === 'failed' || leading.kind === 'degraded';
  const route =
    goesFirst || events.every((one) => one.routeOfAll === leading.routeOfAll) ? leading.routeOfAll : '/errors';
  return {
    title: parts.join(', '),
    body: events
      .slice(0, 3)
      .map(({ text }) => text)
      .join('\n'),
    route,
  };
}

/**
 * The text of a notification as the system expects it: on Linux it is markup, in which a foreign
 * title could embed pictures and links.
 */
export function bodyFor(platform: NodeJS.Platform, body: string): string {
  // freedesktop.org, Desktop Notifications Specification, "Markup".
  return platform === 'linux' ? body.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;') : body;
}

function withReason(name: string, reason: string | null): string {
  return reason === null || reason === '' ? name : `${name}: ${reason}`;
}

// Invisible characters and those that change the writing direction, which could make one name read
// as another.
const unseen =
  // eslint-disable-next-line no-control-regex -- Control characters are what is looked for.
  /[\u0000-\u001f\u007f-\u009f\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]+/g;

function oneLine(text: string): string {
  const plain = text.replaceAll(unseen, ' ').trim();
  const short = plain.length > maxTextLength ? `${plain.slice(0, maxTextLength - 1)}…` : plain;
  return short.replaceAll(/\p{Surrogate}/gu, '');
}
