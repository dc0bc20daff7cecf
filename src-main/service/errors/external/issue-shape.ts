import type { ErrorDetail, ErrorStatus, ErrorSummary } from '../../contract/errors.ts';
import { countMember, integerMember, listOf, memberOf, objectMember, textMember, timeMember } from './read-json.ts';

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
export function externalSummaryOf(issue: unknown): ErrorSummary | null {
  const id = textMember(issue, 'id');
  const firstSeen = timeMember(issue, 'firstSeen');
  const lastSeen = timeMember(issue, 'lastSeen');
  // Digits only, as in GitLab, because the id becomes part of addresses.
  if (id === null || !/^\d{1,20}$/.test(id) || firstSeen === null || lastSeen === null) return null;
  const metadata = memberOf(issue, 'metadata');
  const title = textMember(issue, 'title') ?? '(no title)';
  const type = textMember(metadata, 'type');
  return {
    id,
    title,
    type: type ?? textMember(metadata, 'title') ?? title,
    value: textMember(metadata, 'value') ?? '',
    culprit: textMember(issue, 'culprit') ?? '',
    level: textMember(issue, 'level') ?? 'error',
    platform: textMember(issue, 'platform') ?? 'other',
    status: statuses[textMember(issue, 'status') ?? ''] ?? 'unresolved',
    regressed: textMember(issue, 'substatus') === 'regressed',
    events: countMember(issue, 'count'),
    users: countMember(issue, 'userCount'),
    first_seen: firstSeen,
    last_seen: lastSeen,
    first_release: textMember(memberOf(issue, 'firstRelease'), 'version'),
    last_release: textMember(memberOf(issue, 'lastRelease'), 'version'),
    hours: bars(memberOf(memberOf(issue, 'stats'), '24h'), 24),
  };
}

/**
 * Converts an issue of Sentry to the detail view.
 *
 * @returns null when it lacks a required member.
 */
export function externalDetailOf(issue: unknown): ErrorDetail | null {
  const summary = externalSummaryOf(issue);
  if (summary === null) return null;
  const stats = objectMember(issue, 'stats');
  return {
    ...summary,
    days: bars(stats['30d'] ?? stats['14d'], 14),
    releases: [],
    tags: listOf(memberOf(issue, 'tags')).flatMap((tag) => {
      const name = textMember(tag, 'key');
      const values = listOf(memberOf(tag, 'topValues')).flatMap((one) => {
        const value = textMember(one, 'value');
        return value === null ? [] : [{ value, events: countMember(one, 'count') }];
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
    .map((pair) => (Array.isArray(pair) ? (integerMember({ count: pair[1] as unknown }, 'count') ?? 0) : 0))
    .map((count) => Math.max(0, count));
  return [...Array.from({ length: length - counts.length }, () => 0), ...counts];
}

/** Returns the address of the issue's page for a link; null unless it is HTTP or HTTPS. */
function pageOf(issue: unknown): string | null {
  const text = textMember(issue, 'permalink');
  return text !== null && URL.canParse(text) && /^https?:$/.test(new URL(text).protocol) ? text : null;
}
