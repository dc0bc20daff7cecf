import type { ErrorDetail } from '../../contract/errors.ts';
import { isoTime } from '../../common/iso-time.ts';
import type { ErrorDetailStore, GroupRow } from '../store/error-detail-store.ts';

const maxEvents = 5000;
const maxReleases = 100;

/**
 * Returns when each release was first seen, since a point in time. The first release is stored with
 * its group; for the others it is known only if all their events are among the newest that are
 * read. Releases with older events are omitted, because a wrong time would be worse than none.
 */
export async function firstOfReleases(
  store: ErrorDetailStore,
  groups: readonly GroupRow[],
  since: number,
): Promise<ErrorDetail['releases']> {
  const known = new Map<string, number>();
  for (const group of groups) {
    const received = new Map(
      (await store.values(group.id, 'release', maxReleases)).map(({ value, events }) => [value, events]),
    );
    for (const { release, first, events } of await store.releases([group.id], maxEvents)) {
      if (events === received.get(release)) known.set(release, Math.min(first, known.get(release) ?? first));
    }
    const { first_release: release, first_seen: first } = group;
    if (release !== null) known.set(release, Math.min(first, known.get(release) ?? first));
  }
  return [...known]
    .filter(([, first]) => first >= since)
    .toSorted(([, a], [, b]) => a - b)
    .map(([release, first]) => ({ release, first_seen: isoTime(first) }));
}
