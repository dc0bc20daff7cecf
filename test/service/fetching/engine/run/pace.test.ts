import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { ConnectionScaler } from '../../../../../src-main/service/fetching/engine/run/connection-scaling.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => void vi.useRealTimers());

const mebibyte = 1024 * 1024;

/** Lets time pass; bytes or files come as fast as so many connections bring them. @returns how many were wanted after each quarter of a second */
function wantedOver(
  pace: ConnectionScaler,
  milliseconds: number,
  rate: (connections: number) => number,
  ofFiles = false,
): number[] {
  const wanted: number[] = [];
  let came = 0;
  for (let passed = 0; passed < milliseconds; passed += 250) {
    came += rate(pace.wanted) / 4;
    vi.advanceTimersByTime(250);
    pace.sample(ofFiles ? 0 : came, ofFiles ? came : 0);
    wanted.push(pace.wanted);
  }
  return wanted;
}

describe('the number of connections', () => {
  test('grows as long as each brings more, up to the most that is allowed', () => {
    const wanted = wantedOver(new ConnectionScaler(16), 5000, (connections) => connections * mebibyte);
    expect(wanted.slice(0, 6)).toEqual([6, 9, 13, 16, 16, 16]);
    expect(Math.max(...wanted)).toBe(16);
    expect(wantedOver(new ConnectionScaler(16), 2000, (connections) => connections * 100, true)).toContain(16);
  });

  test('goes back when more bring nothing, and is tried again after a while, not all the time', () => {
    const wanted = wantedOver(new ConnectionScaler(16), 12_000, () => 8 * mebibyte);
    expect(wanted.slice(0, 3)).toEqual([6, 4, 4]);
    expect(wanted.filter((connections) => connections > 4).length).toBeLessThanOrEqual(3);
    expect(wanted.slice(4)).toContain(6);
  });

  test('does not grow while nothing comes, nor above what was chosen', () => {
    expect(wantedOver(new ConnectionScaler(16), 3000, () => 0)).toEqual(Array.from({ length: 12 }, () => 4));
    expect(new Set(wantedOver(new ConnectionScaler(2), 3000, (connections) => connections * mebibyte))).toEqual(
      new Set([2]),
    );
  });

  test('stays below what the server has refused', () => {
    const pace = new ConnectionScaler(16);
    pace.reduce(4);
    expect(pace.wanted).toBe(3);
    expect(new Set(wantedOver(pace, 30_000, (connections) => connections * mebibyte))).toEqual(new Set([3]));
    for (const running of [3, 2, 1]) pace.reduce(running);
    expect(pace.wanted).toBe(1);
  });
});
