import type { ErrorRuns, RunErrors } from '../../../src-main/service/contract/timeline/run-errors.ts';

const minute = 60_000;
/** A minute of a day that no time zone moves to another one. */
const begin = Date.UTC(2026, 10, 23, 11, 55);
const iso = (minutes: number): string => new Date(begin + minutes * minute).toISOString();

const kinds = [
  ['DetectorTimeout: no frame for 5.0 s from detector 2', 'acquire in bench/acquire.py', 'error'],
  ['ValueError: field out of range: 14.2 T', 'set_field in bench/magnet.py', 'warning'],
  ['OutOfMemoryError: Java heap space', 'org.lab.viewer.Tile.decode', 'fatal'],
  ['the shutter did not close', 'shutter', 'info'],
] as const;

const pageSize = 20;

/** Errors of a run of half an hour; `changes` makes other answers of it. */
export function fakeRunErrors(count: number, cursor = 0, changes: Partial<RunErrors> = {}): RunErrors {
  const left = Math.min(pageSize, count - cursor);
  return {
    state: 'known',
    window: { began_at: iso(5), ended_at: iso(35), from: iso(0), until: iso(41) },
    span_days: 1,
    kept_days: 90,
    projects: [{ id: 2, path: 'lab/qmr', name: 'Quantum magnetometry', granted: true, external: false }],
    more_projects: false,
    step_seconds: 60,
    steps: cursor > 0 || count === 0 ? [] : Array.from({ length: 41 }, (_, at) => (at * at * 7) % 23),
    errors: Array.from({ length: left }, (_, position) => {
      const number = cursor + position;
      const [title, culprit, level] = kinds[number % kinds.length] ?? kinds[0];
      return {
        id: String(number + 1),
        title,
        culprit,
        level,
        status: number % 7 === 6 ? ('resolved' as const) : ('unresolved' as const),
        project: { id: 2, path: 'lab/qmr' },
        events: 4000 - number * 19,
        first_at: iso(number % 11),
        last_at: iso(number % 4 === 3 ? number % 11 : 30 + (number % 9)),
      };
    }),
    total: count,
    complete: true,
    next: cursor + left < count ? String(cursor + left) : null,
    ...changes,
  };
}

/** Runs that an error touched. */
export function fakeErrorRuns(count: number): ErrorRuns {
  return {
    measurements: Array.from({ length: count }, (_, number) => ({
      id: `qmr-2026-${114 - number}`,
      title: `Field sweep ${114 - number}`,
      began_at: iso(-number * 60 + 5),
      ended_at: iso(-number * 60 + 35),
      events: 812 - number * 70,
    })),
    next: count > 3 ? 'more' : null,
  };
}
