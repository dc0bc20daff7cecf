import type { BigIntStats } from 'node:fs';

/**
 * Metadata that shows whether a file was changed. The status change time can only be set by the
 * operating system.
 */
export type FileIdentity = Pick<BigIntStats, 'dev' | 'ino' | 'size' | 'mtimeNs' | 'ctimeNs'>;

// The kernel takes timestamps from its last clock tick, 1 to 10 ms ago.
const clockTickMs = 20;
// Some file systems store timestamps in whole seconds, FAT in steps of two.
const coarseTimestampMs = 2100;

/** Picks the metadata that identifies the state of a file. */
export function identityOf({ dev, ino, size, mtimeNs, ctimeNs }: FileIdentity): FileIdentity {
  return { dev, ino, size, mtimeNs, ctimeNs };
}

export function sameIdentity(a: FileIdentity, b: FileIdentity): boolean {
  return a.ctimeNs === b.ctimeNs && a.ino === b.ino && a.mtimeNs === b.mtimeNs && a.size === b.size && a.dev === b.dev;
}

/**
 * Returns the milliseconds until a change would give the file a different timestamp; 0 when it
 * already would.
 *
 * @param now Milliseconds since 1970.
 */
export function settlesIn({ ctimeNs }: Pick<FileIdentity, 'ctimeNs'>, now: number): number {
  const needed = ctimeNs % 1_000_000_000n === 0n ? coarseTimestampMs : clockTickMs;
  const age = now - Number(ctimeNs / 1_000_000n);
  return age < 0 || age >= needed ? 0 : needed - age;
}
