import { countOf, formatBytes, type SizeUnits } from '../../src-shared/format/quantities.ts';
import type { Bench, BenchConcern, BenchExpectation } from '../api/requests/types.ts';

export const expectationWords: Readonly<Record<BenchExpectation, string>> = {
  usual: 'When it is unusual for it',
  'always-on': 'At once, because it is always on',
  'may-be-off': 'Never, because it may be off',
};

/** A concern in a few words. */
export function concernWord(bench: Bench, concern: BenchConcern): string {
  switch (concern) {
    case 'silent':
      return 'Silent for longer than is usual for it';
    case 'unheard':
      return 'No bench at all is heard';
    case 'disk-full':
      return 'Disk almost full';
    case 'runs-stuck':
      return `${countOf(bench.runs.stuck, 'run')} need${bench.runs.stuck === 1 ? 's' : ''} somebody`;
    case 'rules-unreachable':
      return `${countOf(bench.rules.unreachable, 'folder')} cannot be read`;
    case 'copies-failed':
      return `${countOf(bench.copies.failed, 'copy', 'copies')} not sent`;
    case 'backlog-old':
      return 'Backlog older than a day';
    case 'clock-off':
      return `Clock ${clockWord(bench.clock_ahead_ms)}`;
    case 'errors':
      return `${countOf(bench.errors.events_last_hour, 'error event')} in the last hour`;
  }
}

/** Differences below this are those of the network. */
export const clockNoiseMs = 2000;

/** How far a clock is off, in words. */
export function clockWord(aheadMs: number): string {
  const size = Math.abs(aheadMs);
  if (size < clockNoiseMs) return 'right';
  const seconds = Math.round(size / 1000);
  const amount =
    seconds < 120
      ? countOf(seconds, 'second')
      : seconds < 7200
        ? countOf(Math.round(seconds / 60), 'minute')
        : seconds < 172_800
          ? countOf(Math.round(seconds / 3600), 'hour')
          : countOf(Math.round(seconds / 86_400), 'day');
  return `${amount} ${aheadMs > 0 ? 'ahead' : 'behind'}`;
}

/** The backlog of a bench in words. */
export function backlogWord({ copies }: Bench, units: SizeUnits): string {
  if (copies.waiting === 0) return 'none';
  return `${countOf(copies.waiting, 'copy', 'copies')}, ${formatBytes(copies.waiting_bytes, units)}`;
}
