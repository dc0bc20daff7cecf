import type { BigIntStats } from 'node:fs';

/** What tells whether a file was changed. Nobody but the system can set the status change time. */
export type FileIdentity = Pick<BigIntStats, 'dev' | 'ino' | 'size' | 'mtimeNs' | 'ctimeNs'>;

// Times come from the clock of the last tick, 1 to 10 ms ago.
const clockTickMs = 20;
// Some file systems keep whole seconds, or two of them (FAT).
const coarseTimestampMs = 2100;

/** The part of what the system says about a file that is worth keeping. */
export function identityOf({ dev, ino, size, mtimeNs, ctimeNs }: FileIdentity): FileIdentity {
  return { dev, ino, size, mtimeNs, ctimeNs };
}

export function sameIdentity(a: FileIdentity, b: FileIdentity): boolean {
  return a.ctimeNs === b.ctimeNs && a.ino === b.ino && a.mtimeNs === b.mtimeNs && a.size === b.size && a.dev === b.dev;
}

/** Milliseconds until a change would give the file another time than it has; 0 when it would do so now. @param now Milliseconds since 1970. */
export function settlesIn({ ctimeNs }: Pick<FileIdentity, 'ctimeNs'>, now: number): number {
  const needed = ctimeNs % 1_000_000_000n === 0n ? coarseTimestampMs : clockTickMs;
  const age = now - Number(ctimeNs / 1_000_000n);
  return age < 0 || age >= needed ? 0 : needed - age;
}
