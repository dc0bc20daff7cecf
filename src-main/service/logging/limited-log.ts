import type { Logger } from 'pino';

const firstWaitMs = 60_000;
const maxWaitMs = 60 * 60_000;
const maxReasons = 100;

interface Seen {
  since: number;
  wait: number;
  withheld: number;
}

type Level = 'info' | 'error';

/** Writes log lines that untrusted clients can cause without limit. */
export type LimitedLog = (
  reason: string,
  fields: Readonly<Record<string, unknown>>,
  message: string,
  level?: Level,
) => void;

/**
 * Writes one line a minute for each reason, and fewer the longer it continues, down to one an hour,
 * so that untrusted requests cannot push everything else out of the log. The next line of a reason
 * has the number of those `withheld`. Beyond a hundred reasons at a time the others share one.
 *
 * @param now milliseconds of a monotonic clock.
 */
export function limitedLog(log: Pick<Logger, Level>, now: () => number = () => performance.now()): LimitedLog {
  const seen = new Map<string, Seen>();

  /**
   * Removes reasons that have not occurred for so long that they would start from the beginning, to
   * make room for current ones.
   */
  function makeRoom(at: number): void {
    for (const [reason, one] of seen) if (at - one.since >= 2 * one.wait && reason !== 'other') seen.delete(reason);
  }

  function keyOf(reason: string, at: number): string {
    if (seen.has(reason)) return reason;
    if (seen.size >= maxReasons) makeRoom(at);
    return seen.size < maxReasons ? reason : 'other';
  }

  return (reason, fields, message, level = 'info') => {
    const at = now();
    const key = keyOf(reason, at);
    const before = seen.get(key);
    if (!before) {
      seen.set(key, { since: at, wait: firstWaitMs, withheld: 0 });
      log[level](fields, message);
      return;
    }
    if (at - before.since < before.wait) {
      before.withheld += 1;
      return;
    }
    const { withheld } = before;
    const goesOn = withheld > 0 && at - before.since < 2 * before.wait;
    Object.assign(before, {
      since: at,
      wait: goesOn ? Math.min(maxWaitMs, 2 * before.wait) : firstWaitMs,
      withheld: 0,
    });
    log[level]({ ...fields, ...(withheld > 0 ? { withheld } : {}) }, message);
  };
}
