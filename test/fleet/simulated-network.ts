import { begin, days, end, localTime } from './simulated-benches.ts';
import { dayMs, hourMs, minuteMs, type Random } from './random.ts';

type Span = readonly [from: number, until: number];

/** When the service of the server does not run; each end is a new start. */
export const downtimes: readonly Span[] = [
  ...Array.from({ length: days }, (_, day): Span => [localTime(day, 2.5), localTime(day, 2.5) + 40_000]),
  [localTime(4, 11), localTime(4, 11) + 10 * minuteMs],
  [localTime(12, 17.75), localTime(12, 17.75) + 20 * minuteMs],
  [localTime(19, 14), localTime(19, 14) + 90_000],
  [localTime(19, 14.1), localTime(19, 14.1) + 90_000],
].toSorted(([a = 0], [b = 0]) => a - b) as readonly Span[];

/** When nobody reaches the server, which runs. */
export const cutOff: readonly Span[] = [
  [localTime(3, 17.5), localTime(3, 18.5)],
  [localTime(11, 10), localTime(11, 11)],
  [localTime(15, 17.5), localTime(15, 18.5)],
  [localTime(22, 23), localTime(23, 1)],
];

/** When the process of the server stood still. */
export const paused: readonly Span[] = [
  [localTime(9, 15), localTime(9, 15.2)],
  [localTime(17, 4), localTime(17, 5)],
];

/** How far the clock of the server is ahead. */
export function clockAhead(at: number): number {
  if (at >= localTime(13, 9) && at < localTime(13, 12)) return 5 * hourMs;
  if (at >= localTime(20, 13) && at < localTime(20, 20)) return -3 * hourMs;
  if (at >= localTime(24, 6)) return 7 * minuteMs;
  return 0;
}

export function isWithin(spans: readonly Span[], at: number): boolean {
  return spans.some(([from, until]) => at >= from && at < until);
}

/**
 * Times in which the network of one bench is away for one to three minutes, twice a day, and never
 * twice in half an hour: two that follow each other at once are one longer one.
 */
export function blipsOf(random: Random): readonly Span[] {
  const blips: Span[] = [];
  for (let at = begin; at < end;) {
    at += random.between(0.5 * hourMs, dayMs);
    blips.push([at, at + random.between(1, 3) * minuteMs]);
  }
  return blips;
}
