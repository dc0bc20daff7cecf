import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { singleProcess } from '../../../src-main/service/database/cluster/cluster.ts';
import { whileLeading } from '../../../src-main/service/database/cluster/while-leading.ts';

let leads: boolean;
let events: string[];
const replica = { replica: () => ({ id: 1, name: 'one' }), leads: () => leads };
const work = () => {
  events.push('begin');
  return async () => void events.push('end');
};
beforeEach(() => {
  leads = false;
  events = [];
  vi.useFakeTimers();
});
afterEach(() => vi.useRealTimers());

test('a process alone begins at once', async () => {
  const end = whileLeading(singleProcess, work);
  expect(events).toEqual(['begin']);
  expect(vi.getTimerCount()).toBe(0);
  await end();
  expect(events).toEqual(['begin', 'end']);
});

test('a replica works for as long as it leads', async () => {
  const end = whileLeading(replica, work);
  await vi.advanceTimersByTimeAsync(5000);
  expect(events).toEqual([]);
  leads = true;
  await vi.advanceTimersByTimeAsync(1000);
  expect(events).toEqual(['begin']);
  leads = false;
  await vi.advanceTimersByTimeAsync(1000);
  expect(events).toEqual(['begin', 'end']);
  leads = true;
  await vi.advanceTimersByTimeAsync(1000);
  await end();
  await end();
  expect(events).toEqual(['begin', 'end', 'begin', 'end']);
  expect(vi.getTimerCount()).toBe(0);
});

test('what is under way is waited for before it begins again', async () => {
  const ended = Promise.withResolvers<void>();
  const end = whileLeading(replica, () => {
    events.push('begin');
    return async () => ended.promise;
  });
  leads = true;
  await vi.advanceTimersByTimeAsync(300);
  leads = false;
  await vi.advanceTimersByTimeAsync(300);
  leads = true;
  await vi.advanceTimersByTimeAsync(300);
  expect(events).toEqual(['begin']);
  ended.resolve();
  await vi.advanceTimersByTimeAsync(300);
  expect(events).toEqual(['begin', 'begin']);
  await end();
});
