import { DownloadGroup } from './download-group.ts';
import { HourlyBudget } from './hourly-budget.ts';
import type { Transfer } from './transfer.ts';

export interface DownloadGroupDeps {
  readonly newId: () => number;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** A pause of this length ends a download; later requests begin another. */
const maxPauseMs = 5 * 60_000;
/**
 * Limits the download of a client that never pauses, for example one that polls every minute, to a
 * row per day.
 */
const maxDurationMs = 24 * 3600_000;
const maxInAll = 500;
const maxOfUser = 64;
const maxMemory = 32 * 1024 * 1024;
/** Most downloads per user and hour that get a row. */
const maxBegun = 2000;

/**
 * Downloads of the last minutes. Number and memory are bounded: the one idle longest is evicted,
 * and its later requests count as another download.
 */
export class DownloadGroups {
  readonly #deps: DownloadGroupDeps;
  readonly #begun = new HourlyBudget();
  /** Ordered by last use, oldest first. */
  readonly #groups = new Map<string, DownloadGroup>();
  #last: DownloadGroup | null = null;

  constructor(deps: DownloadGroupDeps) {
    this.#deps = deps;
  }

  /** Returns the download that a transfer belongs to. */
  of(transfer: Transfer): DownloadGroup {
    const { start, credential, startedAt } = transfer;
    const last = this.#last;
    if (last && isOf(last, transfer) && startedAt - last.lastAt < maxPauseMs) return last;
    const key = `${credential}\n${start.measurementId}\n${start.address ?? ''}\n${start.userAgent ?? ''}`;
    const known = this.#groups.get(key);
    const group = known && !this.#isOver(known, startedAt) ? known : this.#begin(key, transfer);
    this.#groups.delete(key);
    this.#groups.set(key, group);
    this.#last = group;
    return group;
  }

  /** Forgets all downloads. */
  clear(): void {
    this.#last = null;
    this.#groups.clear();
  }

  /** Forgets downloads that have ended. */
  sweep(): void {
    const now = this.#deps.now();
    this.#last = null;
    let memory = 0;
    for (const [key, group] of this.#groups) {
      group.small.forgetBefore(now);
      memory += group.memory;
      if (this.#isOver(group, now)) this.#groups.delete(key);
    }
    for (const [key, group] of this.#groups) {
      if (memory <= maxMemory) break;
      memory -= group.memory;
      this.#groups.delete(key);
    }
  }

  #isOver(group: DownloadGroup, now: number): boolean {
    return group.running === 0 && (now - group.lastAt >= maxPauseMs || now - group.startedAt >= maxDurationMs);
  }

  #begin(key: string, transfer: Transfer): DownloadGroup {
    const { userId } = transfer.start.principal;
    this.#begun.add(userId);
    const recorded = this.#begun.used(userId) <= maxBegun;
    let own: DownloadGroup | null = null;
    let count = 0;
    for (const group of this.#groups.values()) {
      if (group.first.principal.userId !== userId) continue;
      own ??= group;
      count += 1;
    }
    if (own && count >= maxOfUser) this.#groups.delete(own.key);
    const [oldest] = this.#groups.keys();
    if (this.#groups.size >= maxInAll && oldest !== undefined) this.#groups.delete(oldest);
    return new DownloadGroup(recorded ? this.#deps.newId() : null, key, transfer);
  }
}

function isOf({ credential, first }: DownloadGroup, { start, credential: asked }: Transfer): boolean {
  return (
    credential === asked &&
    first.measurementId === start.measurementId &&
    first.address === start.address &&
    first.userAgent === start.userAgent
  );
}
