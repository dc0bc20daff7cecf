import { describe, expect, test, vi } from 'vitest';
import type { Fetch } from '../../../src-main/service/contract/fetches.ts';
import { may, progressOf, remedyOf, statusOf, troubleOf } from '../../../src-renderer/words/fetch-words.ts';
import { createToastStore } from '../../../src-renderer/context/stores.ts';
import { createLiveFetches, newest } from '../../../src-renderer/context/live-fetches.ts';
import { pieceCells, pieceWords } from '../../../src-renderer/features/transfers/detail/piece-cells.ts';
import { hiddenBefore, listedIndex } from '../../../src-renderer/context/removals.ts';
import { tellEndOfFetch } from '../../../src-renderer/features/transfers/adding/tell-end-of-fetch.ts';
import { fetchListOf, readTransfersSearch } from '../../../src-renderer/features/transfers/list/transfers-search.ts';
import { fetchOf, type FetchKind } from '../fakes/fake-fetch-data.ts';

const one = (kind: FetchKind, more: Partial<Fetch> = {}): Fetch => ({ ...fetchOf(1, kind), ...more });

describe('the progress of a transfer', () => {
  test('is never 100 % before the end, and verification is counted separately', () => {
    const total = 1000;
    expect(progressOf(one('fetching', { bytes_total: total, bytes_done: total, bytes_verified: 999 })).percent).toBe(
      99,
    );
    const verifying = one('verifying', { bytes_total: total, bytes_done: total, bytes_verified: 620 });
    expect(progressOf(verifying)).toEqual({ fetched: 1, verified: 0.62, percent: 62, counts: 'verified' });
    expect(statusOf(verifying).word).toBe('verifying');
    expect(progressOf(one('done')).percent).toBe(100);
  });

  test('has no share where the total is unknown, and is clamped to its bounds', () => {
    expect(progressOf(one('listing'))).toEqual({ fetched: null, verified: 0, percent: null, counts: 'fetched' });
    expect(progressOf(one('fetching', { bytes_total: 10, bytes_done: 90, bytes_verified: -3 }))).toMatchObject({
      fetched: 1,
      verified: 0,
    });
    expect(progressOf(one('fetching', { bytes_total: 0, bytes_done: 0, bytes_verified: 0 })).percent).toBe(0);
  });
});

describe('the remedy of a transfer', () => {
  test.each([
    ['no-token', 'token'],
    ['no-folder', 'folder'],
    ['no-room', 'room'],
    ['no-trust', 'certificate'],
    ['failed', 'again'],
    ['cancelled', 'again'],
    ['fetching', null],
    ['paused', null],
    ['waiting', null],
  ] as const)('%s: %s', (kind, remedy) => {
    expect(remedyOf(one(kind))).toBe(remedy);
  });

  test('for a used name is to move that file away, and then nothing is fetched twice', () => {
    expect(remedyOf({ state: 'asking', reason: 'name-taken' })).toBe('keep-both');
    expect(remedyOf({ state: 'asking', reason: 'target-missing' })).toBe('folder');
  });

  test('a stalled transfer is not a failed one, and a working one has no message', () => {
    expect(statusOf(one('stalled'))).toMatchObject({ word: 'stalled', tone: 'warn' });
    expect(troubleOf(one('stalled'))).toMatch(/continues as soon as/);
    expect(troubleOf(one('fetching'))).toBeNull();
    expect(troubleOf(one('failed', { message: null }))).toMatch(/checksums do not match/);
    expect(troubleOf(one('done'))).toBeNull();
    expect(troubleOf(one('done', { message: 'It could not be verified. The server is away.' }))).toMatch(
      /could not be verified/,
    );
  });

  test('each state allows the useful actions', () => {
    expect([may.pause(one('queued')), may.resume(one('queued')), may.retry(one('queued'))]).toEqual([
      true,
      false,
      false,
    ]);
    expect([may.pause(one('no-room')), may.resume(one('no-room')), may.stop(one('no-room'))]).toEqual([
      false,
      true,
      true,
    ]);
    expect([may.retry(one('failed')), may.stop(one('failed')), may.verify(one('done'))]).toEqual([true, false, true]);
  });
});

test('the message of a started fetch is replaced by that of its end, if there is one', () => {
  const toasts = createToastStore();
  const said = () => toasts.getState().toasts.map(({ kind, text }) => [kind, text]);
  const { id, title } = one('done');
  for (const fetchId of [id, id + 1])
    toasts.getState().show({ kind: 'plain', text: `${fetchId} is being fetched`, fetchId });
  tellEndOfFetch({ toasts, desktop: null }, one('fetching'));
  expect(said()).toHaveLength(2);
  tellEndOfFetch({ toasts, desktop: null }, one('done'));
  tellEndOfFetch({ toasts, desktop: null }, one('done', { id: id + 2 }));
  tellEndOfFetch({ toasts, desktop: null }, one('no-room', { id: id + 1, title: 'Second' }));
  expect(said()).toEqual([
    ['plain', `${title} fetched`],
    ['bad', 'Second waits for you'],
  ]);
});

describe('removed rows', () => {
  test('are followed by the rows behind them', () => {
    const hidden = [0, 3, 4];
    expect([0, 1, 2, 3].map((shown) => listedIndex(shown, hidden))).toEqual([1, 2, 5, 6]);
    expect([0, 1, 3, 5, 9].map((listed) => hiddenBefore(listed, hidden))).toEqual([0, 1, 1, 3, 3]);
    for (let shown = 0; shown < 20; shown += 1) {
      const listed = listedIndex(shown, hidden);
      expect(hidden).not.toContain(listed);
      expect(listed - hiddenBefore(listed, hidden)).toBe(shown);
    }
  });
});

describe('events', () => {
  test('are collected into one step, which says whether a state has changed', () => {
    vi.useFakeTimers();
    const live = createLiveFetches();
    const steps = vi.fn();
    live.store.subscribe(steps);
    const fetch = one('fetching');
    expect(live.put(fetch)).toBe(false);
    expect(live.put({ ...fetch, bytes_done: 5 })).toBe(false);
    expect(live.put({ ...fetch, state: 'paused' })).toBe(true);
    for (let id = 100; id < 1100; id += 1) live.put({ ...fetch, id });
    expect(steps).not.toHaveBeenCalled();
    // Includes pending events: the list may be read in between.
    expect([live.knows(fetch.id), live.knows(5)]).toEqual([true, false]);
    vi.advanceTimersByTime(150);
    expect([live.knows(fetch.id), live.knows(5)]).toEqual([true, false]);
    expect(steps).toHaveBeenCalledTimes(1);
    expect(live.store.getState().byId.get(fetch.id)?.fetch.state).toBe('paused');
    // A newer list overrides an older event.
    vi.advanceTimersByTime(40_000);
    live.put({ ...fetch, id: 2 });
    vi.advanceTimersByTime(150);
    expect([...live.store.getState().byId.keys()]).toEqual([2]);
    vi.useRealTimers();
  });

  test('are applied as long as the list is older', () => {
    const listed = one('fetching');
    const live = { fetch: { ...listed, bytes_done: 7 }, at: 1000 };
    expect(newest(listed, 999, live).bytes_done).toBe(7);
    expect(newest(listed, 1001, live)).toBe(listed);
    expect(newest(listed, 0, undefined)).toBe(listed);
  });
});

describe('pieces', () => {
  test('become cells: complete, partial, in progress, missing', () => {
    const pieces = {
      length: 100,
      done: [[0, 50] as [number, number], [75, 80] as [number, number]],
      coming: [[50, 60] as [number, number]],
      verified: false,
    };
    expect(pieceCells(pieces, 4)).toEqual(['done', 'done', 'coming', 'part']);
    expect(pieceCells({ ...pieces, length: 3, done: [], coming: [] }, 8)).toEqual(['open', 'open', 'open']);
    expect(pieceWords(pieces)).toBe('55 % on the disk in 2 pieces, 1 on the way');
    const whole = { length: 100, done: [[0, 100] as [number, number]], coming: [], verified: true };
    expect(pieceCells(whole, 2)).toEqual(['verified', 'verified']);
    expect(pieceWords(whole)).toBe('All of it is on the disk and verified');
  });

  test('a file of unknown length has none', () => {
    const pieces = { length: null, done: [], coming: [], verified: false };
    expect(pieceCells(pieces, 4)).toEqual([]);
    expect(pieceWords(pieces)).toMatch(/one piece/);
    expect(pieceCells({ ...pieces, length: 0 }, 4)).toEqual([]);
  });
});

test('the address accepts known filters and short searches only', () => {
  expect(readTransfersSearch({ filter: 'attention', search: 114, other: 1 })).toEqual({
    filter: 'attention',
    search: '114',
  });
  expect(readTransfersSearch({ filter: 'all', search: { a: 1 } })).toEqual({});
  expect(fetchListOf({ search: ' x ' })).toEqual({ filter: 'all', search: 'x', sort: 'queue', order: 'asc' });
  expect(readTransfersSearch({ search: 'x'.repeat(900) }).search).toHaveLength(200);
});
