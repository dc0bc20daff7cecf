import type { BenchConcern, BenchDisk, BenchReport } from '../../contract/fleet/fleet.ts';

/** Below this share of a disk it counts as full. */
const minFreeShare = 0.05;
const maxClockOffMs = 60_000;
const maxBacklogMs = 86_400_000;

/** The concerns that follow from a report, whatever the state of its bench. */
export function concernsOf(report: BenchReport, clockAheadMs: number): readonly BenchConcern[] {
  const { disks, runs, rules, copies, errors, sent_at: sentAt } = report;
  const oldest = copies.oldest_since === null ? null : Date.parse(sentAt) - Date.parse(copies.oldest_since);
  const all: readonly (readonly [BenchConcern, boolean])[] = [
    ['disk-full', disks.some((disk) => freeShareOf(disk) < minFreeShare)],
    ['runs-stuck', runs.stuck > 0],
    ['rules-unreachable', rules.unreachable > 0],
    ['copies-failed', copies.failed > 0],
    ['backlog-old', oldest !== null && oldest > maxBacklogMs],
    ['clock-off', Math.abs(clockAheadMs) > maxClockOffMs],
    ['errors', errors.events_last_hour > 0],
  ];
  return all.filter(([, isSo]) => isSo).map(([concern]) => concern);
}

/** Free share of the fullest disk, from 0 to 1; 1 without any. */
export function minFreeShareOf({ disks }: Pick<BenchReport, 'disks'>): number {
  return Math.min(1, ...disks.map(freeShareOf));
}

function freeShareOf({ free_bytes: free, size_bytes: size }: BenchDisk): number {
  return size === 0 ? 1 : Math.min(1, free / size);
}
