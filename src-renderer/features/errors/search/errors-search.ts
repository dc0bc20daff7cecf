import type { ErrorListOptions } from '../../../api/queries/error-queries.ts';
import type { ErrorSort } from '../../../api/requests/types.ts';

const sorts = ['last_seen', 'first_seen', 'events', 'users'] as const satisfies readonly ErrorSort[];
const eventId = /^[0-9a-f]{32}$/;

/**
 * Search parameters: query and order of the list, the open event, and whether the detail has the
 * whole width.
 */
export interface ErrorsSearch {
  readonly query?: string;
  readonly sort?: ErrorSort;
  /** An event's id or `oldest`; without it the latest. */
  readonly event?: string;
  readonly wide?: true;
}

/** Keeps only valid parameters. */
export function readErrorsSearch(raw: Record<string, unknown>): ErrorsSearch {
  const query =
    typeof raw['query'] === 'string' || typeof raw['query'] === 'number' ? String(raw['query']).slice(0, 500) : '';
  const sort = sorts.find((name) => name === raw['sort']);
  const event = typeof raw['event'] === 'string' ? readEventName(raw['event']) : null;
  return {
    ...(query === '' ? {} : { query }),
    ...(sort === undefined || sort === 'last_seen' ? {} : { sort }),
    ...(event === null ? {} : { event }),
    ...(raw['wide'] === true ? { wide: true } : {}),
  };
}

/** A pasted event id, with or without dashes; null when it is not one. */
export function readEventName(text: string): string | null {
  const name = text.trim().toLowerCase().replaceAll('-', '');
  return name === 'oldest' || eventId.test(name) ? name : null;
}

/**
 * The link to one event of an error. An id that looks like a number is quoted, because the router
 * would parse it as one.
 */
export function eventLink(address: string, event: string): string {
  return `${address}?event=${Number.isNaN(Number(event)) ? event : encodeURIComponent(JSON.stringify(event))}`;
}

/** The service's parameters for a search in the address. */
export function listOptionsOf({ query = '', sort = 'last_seen' }: ErrorsSearch): ErrorListOptions {
  return { query: query.trim(), sort };
}

export type StatusFilter = 'unresolved' | 'resolved' | 'ignored' | 'all';

const statuses = ['unresolved', 'resolved', 'ignored'] as const;
const statusParts = /(?<=^|\s)is:(\S*)(?=\s|$)/gi;

/** The status that a query names: unresolved by default; null for two of the three. */
export function statusOf(query: string): StatusFilter | null {
  const asked = new Set([...query.matchAll(statusParts)].map(([, status = '']) => status.toLowerCase()));
  const found = statuses.filter((status) => asked.has(status));
  if (found.length === statuses.length) return 'all';
  return asked.size === 0 ? 'unresolved' : found.length === 1 && asked.size === 1 ? (found[0] ?? null) : null;
}

/** The query with another status. */
export function withStatus(query: string, status: StatusFilter): string {
  const rest = query.replaceAll(statusParts, ' ').replaceAll(/\s+/g, ' ').trim();
  const asked = status === 'unresolved' ? [] : status === 'all' ? statuses : [status];
  return [...asked.map((one) => `is:${one}`), ...(rest === '' ? [] : [rest])].join(' ');
}

/** A search for the events with a tag. Quoted where the value has spaces. */
export function tagQuery(tag: string, value: string): string {
  return /\s/.test(value) ? `${tag}:"${value.replaceAll('"', '')}"` : `${tag}:${value}`;
}
