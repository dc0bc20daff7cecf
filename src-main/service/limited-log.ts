import type { Logger } from 'pino';

const minute = 60_000;
const maxReasons = 100;

interface Seen {
  readonly since: number;
  withheld: number;
}

/** Lines that strangers can cause without limit. */
export type LimitedLog = (reason: string, fields: Readonly<Record<string, unknown>>, message: string) => void;

/**
 * Writes one line a minute for each reason, so that requests of strangers cannot push everything else out of the log; the next line of the same reason has
 * the number of those `withheld`.
 *
 * @param now milliseconds; a clock that only goes forward.
 */
export function limitedLog(log: Pick<Logger, 'info'>, now: () => number = () => performance.now()): LimitedLog {
  const seen = new Map<string, Seen>();
  return (reason, fields, message) => {
    const at = now();
    const key = seen.has(reason) || seen.size < maxReasons ? reason : 'other';
    const before = seen.get(key);
    if (before && at - before.since < minute) {
      before.withheld += 1;
      return;
    }
    seen.set(key, { since: at, withheld: 0 });
    log.info({ ...fields, ...(before && before.withheld > 0 ? { withheld: before.withheld } : {}) }, message);
  };
}
