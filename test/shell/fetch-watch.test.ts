import { describe, expect, it } from 'vitest';
import { FetchWatch } from '../../src-main/shell/notices/fetch-watch.ts';
import { KeepAwake } from '../../src-main/shell/quitting/keep-awake.ts';
import { taskbarProgress } from '../../src-main/shell/tray/taskbar-progress.ts';
import { aFetch, aPage } from './a-fetch.ts';

const now = Date.parse('2026-11-21T12:00:00Z');
const ended = (secondsAgo: number) => ({ ended_at: new Date(now - secondsAgo * 1000).toISOString() });
const watching = () => new FetchWatch(() => now);

describe('news of fetches', () => {
  it('notifies once of each end, and of each time that a fetch needs the user', () => {
    const watch = watching();
    expect(watch.observe(aFetch(1))).toBeUndefined();
    expect(watch.observe(aFetch(1, { bytes_done: 500 }))).toBeUndefined();
    expect(watch.observe(aFetch(1, { state: 'asking' }))?.state).toBe('asking');
    expect(watch.observe(aFetch(1, { state: 'asking' }))).toBeUndefined();
    expect(watch.observe(aFetch(1))).toBeUndefined();
    expect(watch.observe(aFetch(1, { state: 'waiting' }))).toBeUndefined();
    expect(watch.observe(aFetch(1, { state: 'done', ...ended(600) }))?.id).toBe(1);
    expect(watch.observe(aFetch(1, { state: 'done', ...ended(600) }))).toBeUndefined();
    expect(watch.replace(aPage([aFetch(1, { state: 'done', ...ended(600) })])).news).toEqual([]);
    expect(watch.observe(aFetch(3, { state: 'done', ...ended(1) }))?.id).toBe(3);
    expect(watch.replace(aPage([aFetch(3, { state: 'done', ...ended(1) })])).news).toEqual([]);
    // Verified once more, or retried.
    expect(watch.observe(aFetch(3, { state: 'failed', ...ended(0) }))?.state).toBe('failed');
    expect(watch.observe(aFetch(2))).toBeUndefined();
    expect(watch.observe(aFetch(2, { state: 'cancelled', ...ended(0) }))).toBeUndefined();
  });

  it('of fetches seen for the first time, only those that have just ended are news', () => {
    const watch = watching();
    const { news } = watch.replace(
      aPage([
        aFetch(1, { state: 'asking' }),
        aFetch(2, { state: 'paused' }),
        aFetch(3, { state: 'done', ...ended(2) }),
        aFetch(4, { state: 'failed', ...ended(3600) }),
        aFetch(5, { state: 'cancelled', ...ended(1) }),
        aFetch(6, { state: 'asking', created_at: ended(3).ended_at }),
      ]),
    );
    expect(news.map(({ id }) => id)).toEqual([3, 6]);
    expect(watch.summary()).toMatchObject({ asking: 2, paused: 1, failed: 0, underWay: 0 });
  });

  it('requests those that are gone from the list', () => {
    const watch = watching();
    watch.observe(aFetch(1));
    watch.observe(aFetch(2));
    expect(watch.replace(aPage([aFetch(2)])).missing).toEqual([1]);
    expect(watch.observe(aFetch(1, { state: 'failed', ...ended(300) }))?.state).toBe('failed');
    expect(watch.replace(aPage([])).missing).toEqual([2]);
    watch.forget(2);
    expect(watch.summary()).toMatchObject({ running: 0, failed: 1 });
  });
});

it('of ten thousand only running ones are requested, and the counts are those of the service', () => {
  const watch = watching();
  for (let id = 1; id <= 700; id += 1) watch.observe(aFetch(id, { state: id <= 3 ? 'running' : 'queued' }));
  const items = Array.from({ length: 500 }, (_, index) => aFetch(1000 + index, { state: 'queued' }));
  const counts = { all: 10_200, active: 10_000, paused: 120, attention: 7, done: 70, failed: 3 };
  expect(watch.replace({ items, total: 10_200, counts }).missing).toEqual([1, 2, 3]);
  expect(watch.summary()).toMatchObject({ underWay: 10_000, paused: 120, asking: 7 });
  const { missing } = watch.replace(aPage([aFetch(1)]));
  expect(missing).toHaveLength(50);
  for (const id of missing) watch.forget(id);
  expect(watch.summary()).toMatchObject({ underWay: 1, paused: 0, asking: 0 });
});

describe('the bar at the icon in the taskbar', () => {
  const barOf = (watch: FetchWatch) => taskbarProgress(watch.summary());

  it('shows nothing without fetches, and otherwise the share of all bytes', () => {
    const watch = watching();
    expect(barOf(watch)).toEqual({ value: -1, mode: 'normal' });
    watch.observe(aFetch(1, { bytes_total: null }));
    expect(barOf(watch)).toEqual({ value: 2, mode: 'normal' });
    watch.observe(aFetch(1, { bytes_total: 3000, bytes_done: 1500 }));
    watch.observe(aFetch(2, { state: 'queued', bytes_total: 1000 }));
    expect(barOf(watch)).toEqual({ value: 0.375, mode: 'normal' });
    watch.observe(aFetch(3, { state: 'paused', bytes_total: 10_000 }));
    expect(barOf(watch).value).toBe(0.375);
  });

  it('does not jump back when one of several ends', () => {
    const watch = watching();
    watch.observe(aFetch(1, { bytes_done: 1000 }));
    watch.observe(aFetch(2));
    expect(barOf(watch).value).toBe(0.5);
    watch.observe(aFetch(1, { state: 'done', bytes_done: 1000, ...ended(0) }));
    expect(barOf(watch).value).toBe(0.5);
    watch.observe(aFetch(2, { state: 'done', bytes_done: 1000, ...ended(0) }));
    expect(barOf(watch).value).toBe(-1);
    watch.observe(aFetch(3));
    expect(barOf(watch).value).toBe(0);
  });

  it('is red after a failure until it was seen, and while one waits for the user', () => {
    const watch = watching();
    watch.observe(aFetch(1, { bytes_done: 200 }));
    watch.observe(aFetch(2));
    watch.observe(aFetch(2, { state: 'failed', ...ended(0) }));
    expect(barOf(watch)).toEqual({ value: 0.2, mode: 'error' });
    watch.seen();
    expect(barOf(watch)).toEqual({ value: 0.2, mode: 'normal' });
    watch.observe(aFetch(1, { state: 'asking' }));
    watch.seen();
    expect(barOf(watch)).toEqual({ value: 1, mode: 'error' });
    watch.clear();
    expect(barOf(watch)).toEqual({ value: -1, mode: 'normal' });
  });
});

it('the computer is kept awake once, and released once', () => {
  const calls: string[] = [];
  const awake = new KeepAwake({ start: (type) => calls.push(type) + 6, stop: (id) => calls.push(`stop ${id}`) });
  for (const wanted of [false, true, true, false, false, true]) awake.set(wanted);
  expect(calls).toEqual(['prevent-app-suspension', 'stop 7', 'prevent-app-suspension']);
});
