import type { CaptureRuleInput } from '../../contract/capture/rules.ts';
import type { ScannedRun } from '../scanning/scan-messages.ts';
import { noCause, type Cause } from '../store/capture-rows.ts';

/** Memory of a run between two looks; a restart loses it, which only delays the registration. */
export interface RunMemory {
  activity: string;
  /** Monotonic milliseconds of the last change that was seen. */
  since: number;
  /** Looks since then that saw no change. */
  looks: number;
  /** Whether nothing has changed since the run was first seen. */
  isUntouched: boolean;
  /** Its bytes, read while nothing changed; null before that. */
  content: string | null;
}

export interface Verdict {
  readonly kind: 'wait' | 'settled' | 'ready';
  /** Why it waits. */
  readonly cause: Cause;
  /** Milliseconds until nothing has changed for long enough; null when that is not what it waits for. */
  readonly readyInMs: number | null;
}

const minuteMs = 60_000;
/** For what was not moved in at once, although the rule says so. */
const copiedInMs = minuteMs;

type Rule = Pick<CaptureRuleInput, 'sign' | 'minutes' | 'markers'>;

/** @param longestGapMs the longest time without a change in this run, before a change. */
export function judgeRun(
  rule: Rule,
  run: ScannedRun,
  memory: RunMemory,
  { longestGapMs, isForced, now }: { readonly longestGapMs: number; readonly isForced: boolean; readonly now: number },
): Verdict {
  const obstacle = obstacleOf(rule, run, isForced);
  if (obstacle) return { kind: 'wait', cause: obstacle, readyInMs: null };
  const needsMs = isForced ? 0 : quietMs(rule, run, memory, longestGapMs);
  const quietForMs = now - memory.since;
  const readyInMs = Math.max(0, needsMs - quietForMs);
  // One look can see a run between two of its writes.
  if (memory.looks < 1) return { kind: 'wait', cause: noCause, readyInMs: needsMs };
  const readsTwice = isReadTwice(rule, run, memory, isForced);
  if (readyInMs > (readsTwice ? needsMs / 2 : 0)) return { kind: 'wait', cause: noCause, readyInMs };
  const isRead = !readsTwice || memory.content !== null;
  return { kind: readyInMs === 0 && isRead ? 'ready' : 'settled', cause: noCause, readyInMs };
}

/** Whether the bytes are read before the registration reads them, because silence is all there is to go by. */
export function isReadTwice(rule: Rule, run: ScannedRun, memory: RunMemory, isForced: boolean): boolean {
  return !isForced && (rule.sign === 'quiet' || (rule.sign === 'moved-in' && !wasMovedIn(run, memory)));
}

function obstacleOf(rule: Rule, run: ScannedRun, isForced: boolean): Cause | null {
  if (run.failure !== null) return { reason: 'unreadable', message: run.failure };
  if (run.fileCount === 0) return { reason: 'empty', message: 'There are no files in it yet.' };
  if (isForced) return null;
  if (run.unfinished !== null)
    return { reason: 'unfinished', message: `${run.unfinished} is there: it is still being written.` };
  const [missing] = run.missingMarkers;
  return rule.sign === 'marker' && missing !== undefined
    ? { reason: 'no-sign', message: `${missing} is not there yet.` }
    : null;
}

function quietMs(rule: Rule, run: ScannedRun, memory: RunMemory, longestGapMs: number): number {
  const wantedMs = rule.minutes * minuteMs;
  if (rule.sign === 'marker' || (rule.sign === 'moved-in' && wasMovedIn(run, memory))) return wantedMs;
  return Math.max(rule.sign === 'quiet' ? wantedMs : Math.max(wantedMs, copiedInMs), 2 * longestGapMs);
}

/** A file that is deleted again makes a folder newer than its files, but is a change. */
function wasMovedIn(run: ScannedRun, memory: RunMemory): boolean {
  return run.isMovedIn && memory.isUntouched;
}
