import { expect, test } from 'vitest';
import type { Job } from '../../../src-main/service/contract/jobs.ts';
import { createRecentStore, soundRecent, withRecent, type Recent } from '../../../src-renderer/context/recent.ts';
import { createDismissedJobs, failuresToShow } from '../../../src-renderer/context/dismissed-jobs.ts';
import { patternsOf, problemOfPatterns } from '../../../src-renderer/features/settings/patterns.ts';

/** An in-memory localStorage. */
function memory(): Storage {
  const kept = new Map<string, string>();
  return {
    get length() {
      return kept.size;
    },
    clear: () => kept.clear(),
    getItem: (key) => kept.get(key) ?? null,
    key: (index) => [...kept.keys()][index] ?? null,
    removeItem: (key) => void kept.delete(key),
    setItem: (key, value) => void kept.set(key, value),
  };
}

const measurement = (id: string): Recent => ({ kind: 'measurement', id, title: `Title of ${id}` });

test('recent entries are unique, the newest first, and limited', () => {
  const list = ['a', 'b', 'a'].map(measurement).reduce<readonly Recent[]>((before, one) => withRecent(before, one), []);
  expect(list.map(({ id }) => id)).toEqual(['a', 'b']);
  const many = Array.from({ length: 40 }, (_, index) => measurement(`m${index}`)).reduce<readonly Recent[]>(
    (before, one) => withRecent(before, one),
    [],
  );
  expect(many).toHaveLength(12);
  expect(many[0]?.id).toBe('m39');
});

test('each user of a browser has a separate list, and removed entries leave it', () => {
  const storage = memory();
  const store = createRecentStore(storage);
  store.getState().readFor(1);
  store.getState().add(measurement('a'));
  store.getState().add({ kind: 'command', id: 'go-tokens' });
  store.getState().readFor(2);
  expect(store.getState().list).toEqual([]);
  const again = createRecentStore(storage);
  again.getState().readFor(1);
  expect(again.getState().list.map(({ id }) => id)).toEqual(['go-tokens', 'a']);
  again.getState().forget(['a']);
  expect(again.getState().list.map(({ id }) => id)).toEqual(['go-tokens']);
});

test('invalid storage is tolerated', () => {
  expect(soundRecent('nonsense')).toEqual([]);
  expect(
    soundRecent([
      null,
      7,
      { kind: 'measurement' },
      { kind: 'else', id: 'x' },
      { kind: 'measurement', id: 'm', title: 3 },
    ]),
  ).toEqual([{ kind: 'measurement', id: 'm', title: 'm' }]);
  const storage = memory();
  storage.setItem('benchport.dismissed-jobs', '{"broken');
  storage.setItem('benchport.recent.1', '[[');
  const store = createRecentStore(storage);
  store.getState().readFor(1);
  expect(store.getState().list).toEqual([]);
  expect(createDismissedJobs(storage).has(failed(1))).toBe(false);
});

const now = Date.parse('2026-11-21T12:00:00.000Z');

function failed(id: number, more: Partial<Job> = {}): Job {
  return {
    id,
    kind: 'verify',
    measurement_id: 'm',
    state: 'failed',
    files_done: 0,
    files_total: 1,
    bytes_done: 0,
    bytes_total: 1,
    bytes_per_second: 0,
    message: 'why',
    result: null,
    created_at: '2026-11-21T11:00:00.000Z',
    ended_at: '2026-11-21T11:30:00.000Z',
    ...more,
  };
}

test('failures of the last day are shown until they are dismissed or succeed', () => {
  const storage = memory();
  const dismissed = createDismissedJobs(storage);
  const shown = (...jobs: Job[]): number[] => failuresToShow(jobs, dismissed, now).map(({ id }) => id);
  expect(
    shown(
      failed(1),
      failed(2, { ended_at: '2026-11-20T11:00:00.000Z' }),
      failed(3, { kind: 'stage' }),
      failed(4, { state: 'cancelled' }),
    ),
  ).toEqual([1]);
  expect(shown(failed(1), failed(5, { state: 'done' }))).toEqual([]);
  expect(
    shown(
      failed(1),
      failed(5, { state: 'done', measurement_id: 'other' }),
      failed(6, { state: 'done', kind: 'export' }),
    ),
  ).toEqual([1]);
  expect(shown(failed(7), failed(5, { state: 'done' }))).toEqual([7]);
  dismissed.add(failed(1));
  expect(shown(failed(1), failed(8))).toEqual([8]);
  expect(createDismissedJobs(storage).has(failed(1))).toBe(true);
  // Another data directory numbers its jobs from one.
  expect(createDismissedJobs(storage).has(failed(1, { created_at: '2027-01-01T00:00:00.000Z' }))).toBe(false);
});

test('the ignore list is one pattern a line, and invalid ones are reported', () => {
  expect(patternsOf(' *.tmp \n\n*.tmp\ncache/\n')).toEqual(['*.tmp', 'cache/']);
  expect(problemOfPatterns(['*.tmp', 'cache/'])).toBeNull();
  expect(problemOfPatterns(['raw/*.tmp'])).toContain('slash inside');
  expect(problemOfPatterns(['x'.repeat(201)])).toContain('longer than 200');
  expect(problemOfPatterns(Array.from({ length: 201 }, (_, index) => `p${index}`))).toContain('the maximum is 200');
});
