import { jsonRows } from '../../database/port/json-rows.ts';
import type { Transaction } from '../../database/port/database.ts';
import { rowsOf } from '../../database/port/dialect.ts';
import { write } from '../../database/port/query.ts';
import { run } from '../../database/port/steps.ts';
import { joinCounts, type GatheredCounts, type OfGroup } from './event-counts-store.ts';
import { maxTagValues } from './tag-values-store.ts';

const seenColumns =
  'id bigint, events bigint, first_seen bigint, last_seen bigint, first_release text, first_release_at bigint, last_release text, last_release_at bigint';
// As in event-counts-store.ts: an event that arrives late may change the first release, but not the last.
const releasesOf = (row: string): string =>
  `first_release = CASE WHEN x.first_release_at < ${row}.first_seen THEN x.first_release ELSE coalesce(${row}.first_release, x.first_release) END,
     last_release = CASE WHEN x.last_release_at >= ${row}.last_seen THEN x.last_release ELSE coalesce(${row}.last_release, x.last_release) END`;
const newest = (column: string): string =>
  `${column} = CASE WHEN x.last_seen >= errors.last_seen THEN x.${column} ELSE errors.${column} END`;

// One statement, because its rows are locked: the order of its parts is not specified. Values beyond the
// limit of a tag are left out, and counted once for each tag that has new ones.
const countGroups = write<{ groups: string; errors: string; hours: string; minutes: string; tags: string }>(
  `WITH of_groups AS (
     UPDATE error_groups SET events = error_groups.events + x.events, first_event_id = coalesce(error_groups.first_event_id, x.first_row),
       first_seen = least(error_groups.first_seen, x.first_seen), last_seen = greatest(error_groups.last_seen, x.last_seen),
       last_received = greatest(error_groups.last_received, x.last_received), stored_bytes = error_groups.stored_bytes + x.bytes, ${releasesOf('error_groups')}
     FROM ${rowsOf('@groups', `${seenColumns}, first_row bigint, last_received bigint, bytes bigint`)} WHERE error_groups.id = x.id),
   of_errors AS (
     UPDATE errors SET events = errors.events + x.events, users = errors.users + x.users,
       first_seen = least(errors.first_seen, x.first_seen), last_seen = greatest(errors.last_seen, x.last_seen),
       ${['type', 'value', 'culprit', 'level', 'platform'].map(newest).join(', ')}, ${releasesOf('errors')}
     FROM ${rowsOf('@errors', `${seenColumns}, users bigint, type text, value text, culprit text, level text, platform text`)} WHERE errors.id = x.id),
   of_hours AS (
     INSERT INTO error_hours (group_id, hour, events) SELECT "group", hour, events
     FROM ${rowsOf('@hours', '"group" bigint, hour bigint, events bigint')}
     ON CONFLICT (group_id, hour) DO UPDATE SET events = error_hours.events + excluded.events),
   of_minutes AS (
     INSERT INTO error_minutes (group_id, minute, events) SELECT "group", minute, events
     FROM ${rowsOf('@minutes', '"group" bigint, minute bigint, events bigint')}
     ON CONFLICT (group_id, minute) DO UPDATE SET events = error_minutes.events + excluded.events),
   tags AS MATERIALIZED (SELECT * FROM ${rowsOf('@tags', '"group" bigint, tag text, value text, events bigint, last bigint')}),
   updated AS (
     UPDATE error_tags SET events = error_tags.events + tags.events, last_seen = greatest(error_tags.last_seen, tags.last)
     FROM tags WHERE group_id = tags."group" AND error_tags.tag = tags.tag AND error_tags.value = tags.value
     RETURNING group_id, error_tags.tag, error_tags.value),
   missing AS (
     SELECT tags.*, row_number() OVER (PARTITION BY tags."group", tags.tag) AS place FROM tags
     LEFT JOIN updated ON updated.group_id = tags."group" AND updated.tag = tags.tag AND updated.value = tags.value WHERE updated.group_id IS NULL),
   known AS (
     SELECT "group", tag, (SELECT count(*) FROM (SELECT 1 FROM error_tags WHERE group_id = "group" AND error_tags.tag = missing.tag LIMIT ${maxTagValues}) AS counted) AS values
     FROM missing WHERE place = 1)
   INSERT INTO error_tags (group_id, tag, value, events, last_seen)
   SELECT missing."group", missing.tag, value, events, last FROM missing JOIN known ON known."group" = missing."group" AND known.tag = missing.tag
   WHERE known.values + place <= ${maxTagValues}`,
);
const countUses = write<{ keys: string; counts: string }>(
  `WITH uses AS (SELECT * FROM ${rowsOf('@keys', 'id bigint, events bigint, last bigint')}),
   locked AS MATERIALIZED (
     SELECT client_keys.id FROM client_keys JOIN uses ON client_keys.id = uses.id ORDER BY client_keys.id FOR NO KEY UPDATE OF client_keys),
   of_keys AS (
     UPDATE client_keys SET events = client_keys.events + uses.events, last_used_at = greatest(last_used_at, uses.last)
     FROM uses JOIN locked ON locked.id = uses.id WHERE client_keys.id = uses.id)
   INSERT INTO ingest_counts (project_id, hour, outcome, count) SELECT "projectId", hour, outcome, count
   FROM ${rowsOf('@counts', '"projectId" bigint, hour bigint, outcome text, count bigint')} ORDER BY 1, 2, 3
   ON CONFLICT (project_id, hour, outcome) DO UPDATE SET count = ingest_counts.count + excluded.count`,
);

/** Writes the counts of a batch of events, whose errors and groups the transaction has locked. */
export function* writeCountSets({ groups, keys, intake }: GatheredCounts): Transaction<void> {
  const ofGroups = [...groups];
  if (ofGroups.length > 0)
    yield* run(countGroups, {
      groups: jsonRows(ofGroups.map(groupRow)),
      errors: jsonRows([...byError(ofGroups)].map(errorRow)),
      hours: jsonRows(ofGroups.flatMap(hourRows)),
      minutes: jsonRows(ofGroups.flatMap(minuteRows)),
      tags: jsonRows(ofGroups.flatMap(tagRows)),
    });
  yield* run(countUses, {
    keys: jsonRows(Array.from(keys, ([id, { count, last }]) => ({ id, events: count, last }))),
    counts: jsonRows([...intake.values()]),
  });
}

function byError(groups: readonly (readonly [number, OfGroup])[]): ReadonlyMap<number, OfGroup> {
  const errors = new Map<number, OfGroup>();
  for (const [, group] of groups) {
    const before = errors.get(group.errorId);
    errors.set(group.errorId, before ? joinCounts(before, group) : group);
  }
  return errors;
}

function seenRow(id: number, { events, firstSeen, lastSeen, firstRelease, lastRelease }: OfGroup) {
  return {
    id,
    events,
    first_seen: firstSeen,
    last_seen: lastSeen,
    first_release: firstRelease?.release ?? null,
    first_release_at: firstRelease?.at ?? null,
    last_release: lastRelease?.release ?? null,
    last_release_at: lastRelease?.at ?? null,
  };
}

function groupRow([id, group]: readonly [number, OfGroup]) {
  const { firstRow, lastReceived, bytes } = group;
  return { ...seenRow(id, group), first_row: firstRow, last_received: lastReceived, bytes };
}

function errorRow([id, error]: readonly [number, OfGroup]) {
  const { type, value, culprit, level, platform } = error.newest;
  return { ...seenRow(id, error), users: error.users, type, value, culprit, level, platform };
}

function hourRows([group, { hours }]: readonly [number, OfGroup]) {
  return Array.from(hours, ([hour, events]) => ({ group, hour, events }));
}

function minuteRows([group, { minutes }]: readonly [number, OfGroup]) {
  return Array.from(minutes, ([minute, events]) => ({ group, minute, events }));
}

function tagRows([group, { tags }]: readonly [number, OfGroup]) {
  return Array.from(tags, ([tag, values]) =>
    Array.from(values, ([value, { count, last }]) => ({ group, tag, value, events: count, last })),
  ).flat();
}
