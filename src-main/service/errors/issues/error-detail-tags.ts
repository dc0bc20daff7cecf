import type { ErrorDetail } from '../../contract/errors.ts';
import type { ErrorDetailStore } from '../store/error-detail-store.ts';

const maxTags = 100;
const maxValues = 1000;
const shownValues = 10;

/**
 * Counts the values of each tag, most frequent first. The number of tags and values read is
 * limited, because senders choose both and may use request ids.
 */
export async function tagDistribution(
  store: ErrorDetailStore,
  groupIds: readonly number[],
): Promise<ErrorDetail['tags']> {
  const tags = new Map<string, Map<string, number>>();
  let looks = maxTags;
  for (const groupId of groupIds) {
    for (
      let tag = await store.tagAfter(groupId, '');
      tag !== null && looks > 0;
      tag = await store.tagAfter(groupId, tag)
    ) {
      looks -= 1;
      const counts = tags.get(tag) ?? new Map<string, number>();
      tags.set(tag, counts);
      for (const { value, events } of await store.values(groupId, tag, maxValues))
        counts.set(value, (counts.get(value) ?? 0) + events);
    }
  }
  return [...tags]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([tag, counts]) => {
      const values = [...counts].map(([value, events]) => ({ value, events })).toSorted((a, b) => b.events - a.events);
      return { tag, values: values.slice(0, shownValues) };
    });
}
