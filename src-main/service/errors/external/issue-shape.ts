import type { ErrorDetail, ErrorStatus, ErrorSummary } from '../../contract/errors.ts';
import { countOf, integerOf, listOf, memberOf, objectOf, textOf, timeOf } from './read-json.ts';

const statuses: Readonly<Record<string, ErrorStatus>> = {
  resolved: 'resolved',
  resolvedInNextRelease: 'resolved',
  ignored: 'ignored',
  muted: 'ignored',
};

/**
 * Converts an issue of Sentry to a row of our list.
 *
 * @returns null when it lacks a required member.
 */
export function summaryOf(issue: unknown): ErrorSummary | null {
  const id = textOf(issue, 'id');
  const firstSeen = timeOf(issue, 'firstSeen');
  const lastSeen = timeOf(issue, 'lastSeen');
  // Digits only, as in GitLab, because the id becomes part of addresses.
  if (id === null || !/^\d{1,20}$/.test(id) || firstSeen === null || lastSeen === null) return null;
  const metadata = memberOf(issue, 'metadata');
  const title = textOf(issue, 'title') ?? '(no title)';
  const type = textOf(metadata, 'type');
  return {
    id,
    title,
    type: type ?? textOf(metadata, 'title') ?? title,
    value: textOf(metadata, 'value') ?? '',
    culprit: textOf(issue, 'culprit') ?? '',
    level: textOf(issue, 'level') ?? 'error',
    platform: textOf(issue, 'platform') ?? 'other',
    status: statuses[textOf(issue, 'status') ?? ''] ?? 'unresolved',
    regressed: textOf(issue, 'substatus') === 'regressed',
    events: countOf(issue, 'count'),
    users: countOf(issue, 'userCount'),
    first_seen: firstSeen,
    last_seen: lastSeen,
    first_release: textOf(memberOf(issue, 'firstRelease'), 'version'),
    last_release: textOf(memberOf(issue, 'lastRelease'), 'version'),
    hours: bars(memberOf(memberOf(issue, 'stats'), '24h'), 24),
  };
}

/**
 * Converts an issue of Sentry to the detail view.
 *
 * @returns null when it lacks a required member.
 */
export function detailOf(issue: unknown): ErrorDetail | null {
  const summary = summaryOf(issue);
  if (summary === null) return null;
  const stats = objectOf(issue, 'stats');
  return {
    ...summary,
    days: bars(stats['30d'] ?? stats['14d'], 14),
    releases: [],
    tags: listOf(memberOf(issue, 'tags')).flatMap((tag) => {
      const name = textOf(tag, 'key');
      const values = listOf(memberOf(tag, 'topValues')).flatMap((one) => {
        const value = textOf(one, 'value');
        return value === null ? [] : [{ value, events: countOf(one, 'count') }];
      });
      return name === null || values.length === 0 ? [] : [{ tag: name, values }];
    }),
    groups: [],
    stored_events: summary.events,
    backend: 'external',
    external_url: pageOf(issue),
  };
}

/**
 * Returns the last `length` counts of Sentry's [time, count] pairs, oldest first, with leading
 * zeros.
 */
function bars(pairs: unknown, length: number): number[] {
  const counts = listOf(pairs)
    .slice(-length)
    .map((pair) => (Array.isArray(pair) ? (integerOf({ count: pair[1] as unknown }, 'count') ?? 0) : 0))
    .map((count) => Math.max(0, count));
  return [...Array.from({ length: length - counts.length }, () => 0), ...counts];
}

/** Returns the address of the issue's page for a link; null unless it is HTTP or HTTPS. */
function pageOf(issue: unknown): string | null {
  const text = textOf(issue, 'permalink');
  return text !== null && URL.canParse(text) && /^https?:$/.test(new URL(text).protocol) ? text : null;
}
