import { minuteMs, hourMs, dayMs, type Random } from './random.ts';

/** A time in which a simulated bench runs, and how it ends. */
export interface Run {
  readonly from: number;
  readonly until: number;
  /** `cut`: without a word, as it is usual for this bench; `failure`: what has to be noticed. */
  readonly ends: 'closing' | 'asleep' | 'cut' | 'failure';
}

export interface SimulatedBench {
  readonly id: string;
  readonly kind: BenchKind;
  readonly runs: readonly Run[];
}

export const benchKinds = {
  alwaysOn: 30,
  nightsWithGoodbye: 25,
  nightsCut: 15,
  weekendsCut: 5,
  laptop: 15,
  weeklyReboot: 5,
  comesAndGoes: 5,
} as const;
export type BenchKind = keyof typeof benchKinds;

/** Two months of spring; summer time begins on 28 March, in the middle of the month that is judged. */
export const begin = Date.UTC(2027, 2, 1);
export const days = 31;
export const end = begin + days * dayMs;
const summer = Date.UTC(2027, 2, 28, 1);

/** Milliseconds since 1970 of an hour of a day by the clock on the wall there. */
export function localTime(day: number, hour: number): number {
  const winter = begin + day * dayMs + (hour - 1) * hourMs;
  return winter >= summer ? winter - hourMs : winter;
}

function isWorkday(day: number): boolean {
  return ![0, 6].includes(new Date(begin + day * dayMs).getUTCDay());
}

/** A hundred benches, and what they do in a month. */
export function simulatedBenches(random: Random): readonly SimulatedBench[] {
  return (Object.entries(benchKinds) as [BenchKind, number][]).flatMap(([kind, count]) =>
    Array.from({ length: count }, (_, at) => ({
      id: `${kind}-${at}`,
      kind,
      runs: withFailure(runsOf(kind, random), kind, random),
    })),
  );
}

function runsOf(kind: BenchKind, random: Random): readonly Run[] {
  switch (kind) {
    case 'alwaysOn':
      return [{ from: begin, until: end, ends: 'closing' }];
    case 'weeklyReboot':
      return between(
        eachDay().filter((day) => day % 7 === 6),
        (day) => [localTime(day, 3), localTime(day, 3.2)],
        'closing',
      );
    case 'weekendsCut':
      return between(
        eachDay().filter((day) => new Date(begin + day * dayMs).getUTCDay() === 5),
        (day) => [localTime(day, random.between(17, 19.5)), localTime(day + 3, random.between(7, 9))],
        'cut',
      );
    case 'nightsWithGoodbye':
      return workdays(random, 'closing');
    case 'nightsCut':
      return workdays(random, 'cut');
    case 'laptop':
      return workdays(random, 'asleep').flatMap((day) => naps(day, random));
    case 'comesAndGoes':
      return eachDay().flatMap((day) => {
        if (random.chance(0.3)) return [];
        const from = localTime(day, random.between(6, 18));
        return [{ from, until: from + random.between(1, 5) * hourMs, ends: random.chance(0.5) ? 'closing' : 'cut' }];
      });
  }
}

function eachDay(): readonly number[] {
  return Array.from({ length: days }, (_, day) => day);
}

function workdays(random: Random, ends: Run['ends']): readonly Run[] {
  return eachDay()
    .filter(isWorkday)
    .map((day) => ({
      from: localTime(day, random.between(7, 9)),
      until: localTime(day, random.between(16.75, 19.25)),
      ends,
    }));
}

/** Runs between times of being off. */
function between(of: readonly number[], off: (day: number) => readonly [number, number], ends: Run['ends']): Run[] {
  const runs: Run[] = [];
  let from = begin;
  for (const day of of) {
    const [until, next] = off(day);
    runs.push({ from, until, ends });
    from = next;
  }
  if (from < end) runs.push({ from, until: end, ends: 'closing' });
  return runs;
}

/** The lid is closed some times a day. */
function naps(day: Run, random: Random): Run[] {
  const runs: Run[] = [];
  let from = day.from;
  for (;;) {
    const until = from + random.between(0.3, 3) * hourMs;
    if (until >= day.until) return [...runs, { from, until: day.until, ends: day.ends }];
    runs.push({ from, until, ends: 'asleep' });
    from = until + random.between(2, 90) * minuteMs;
    if (from >= day.until) return runs;
  }
}

/** From the tenth day on each bench that reports by the minute fails once, at an hour of work. */
function withFailure(runs: readonly Run[], kind: BenchKind, random: Random): readonly Run[] {
  if (kind === 'laptop' || kind === 'comesAndGoes') return runs;
  const day = 10 + Math.floor(random.between(0, days - 12));
  const at =
    kind === 'alwaysOn' ? localTime(day, random.between(0, 24)) : localTime(nextWorkday(day), random.between(10, 13));
  const back = at + random.between(0.5, 2.5) * hourMs;
  return runs.flatMap((run) => {
    if (at <= run.from || at >= run.until) return [run];
    const failed: Run = { from: run.from, until: at, ends: 'failure' };
    return back < run.until ? [failed, { ...run, from: back }] : [failed];
  });
}

function nextWorkday(day: number): number {
  return isWorkday(day) ? day : nextWorkday(day + 1);
}
