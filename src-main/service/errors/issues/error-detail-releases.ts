import type { ErrorDetail } from '../../contract/errors.ts';
import { isoTime } from '../../common/iso-time.ts';
import type { ErrorDetailStore, GroupRow } from '../store/error-detail-store.ts';

const maxEvents = 5000;
const maxReleases = 100;

/**
 * When each release was first seen, since a point in time. The first of all is kept with its group; of the others it is known as long as every event
 * of the release is among the newest that are looked at: with a gap nobody can tell, and nothing is better than a wrong time.
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
