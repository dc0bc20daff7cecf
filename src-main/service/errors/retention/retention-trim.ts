import { retentionLevel } from './retention-level.ts';
import type { KeptGroup, KeptProject, RetentionStore } from '../store/retention-store.ts';

export interface TrimDeps {
  readonly retention: RetentionStore;
  /** Removes an error including all its rows. */
  readonly removeError: (projectId: number, errorId: number) => Promise<void>;
  readonly stopped: () => boolean;
  /** Pauses between two steps. */
  readonly rest: () => Promise<void>;
}

/** Limits of what a project may store. */
export interface ProjectLimits {
  readonly maxEvents: number;
  readonly maxBytes: number;
  readonly maxErrors: number;
}

/** A group with its current size. */
export interface HeldGroup extends KeptGroup {
  bytes: number;
}

/** Errors with fewer events than this are removed several at a time. */
const fewEvents = 10;
const errorsPerStep = 10;

/** Adds the size of each group; counts it once for groups stored before sizes were recorded. */
export async function withBytes(
  { retention, stopped, rest }: TrimDeps,
  groups: readonly KeptGroup[],
): Promise<HeldGroup[]> {
  const held: HeldGroup[] = [];
  for (const group of groups) {
    if (group.stored_bytes === null && !stopped()) {
      const { bytes, last } = await sumOf({ retention, stopped, rest }, group.id);
      held.push({ ...group, bytes: await retention.setBytes(group.id, bytes, last) });
    } else held.push({ ...group, bytes: group.stored_bytes ?? 0 });
  }
  return held;
}

/**
 * Removes what a project has beyond its limits: first the oldest events of the groups that have
 * most, then whole errors.
 *
 * @returns whether anything was removed.
 */
export async function trimProject(
  deps: TrimDeps,
  project: KeptProject,
  groups: readonly HeldGroup[],
  limits: ProjectLimits,
): Promise<boolean> {
  const byEvents = await trimEvents(deps, groups, limits.maxEvents);
  const byBytes = await trimBytes(deps, groups, limits.maxBytes);
  const byErrors = await trimErrors(deps, project, groups, limits);
  return byEvents || byBytes || byErrors;
}

async function trimEvents(deps: TrimDeps, groups: readonly HeldGroup[], maxEvents: number): Promise<boolean> {
  // The number received is an upper bound of the number stored, so counting is rarely needed.
  if (groups.reduce((sum, { events }) => sum + events, 0) <= maxEvents) return false;
  const counts: number[] = [];
  for (const group of groups) counts.push((await sumOf(deps, group.id)).events);
  if (counts.reduce((sum, count) => sum + count, 0) <= maxEvents) return false;
  const level = retentionLevel(counts, maxEvents);
  let removedAny = false;
  for (const [place, group] of groups.entries()) {
    let excess = (counts[place] ?? 0) - level;
    while (excess > 0 && !deps.stopped()) {
      const removed = await removeOldest(deps, group, excess);
      if (removed === 0) break;
      excess -= removed;
      removedAny = true;
    }
  }
  return removedAny;
}

async function trimBytes(deps: TrimDeps, groups: readonly HeldGroup[], maxBytes: number): Promise<boolean> {
  if (bytesOf(groups) <= maxBytes) return false;
  const level = bytesForEach(groups, maxBytes);
  let removedAny = false;
  for (const group of groups) {
    while (group.bytes > level && !deps.stopped()) {
      // Estimates the number from the average size of the group's events; at least one.
      const share = Math.ceil(((group.bytes - level) / Math.max(1, group.bytes)) * group.events);
      if ((await removeOldest(deps, group, Math.max(1, share))) === 0) break;
      removedAny = true;
    }
  }
  return removedAny;
}

/**
 * Removes whole errors when there are too many, or when they are too large even though each group
 * keeps only its first event.
 */
async function trimErrors(
  deps: TrimDeps,
  project: KeptProject,
  groups: readonly HeldGroup[],
  { maxBytes, maxErrors }: ProjectLimits,
): Promise<boolean> {
  const errors = new Map<number, { bytes: number; events: number; lastReceived: number }>();
  for (const { error_id: id, bytes, events, last_received: received } of groups) {
    const one = errors.get(id) ?? { bytes: 0, events: 0, lastReceived: 0 };
    errors.set(id, {
      bytes: one.bytes + bytes,
      events: one.events + events,
      lastReceived: Math.max(one.lastReceived, received),
    });
  }
  let bytes = bytesOf(groups);
  if (bytes <= maxBytes && errors.size <= maxErrors) return false;
  const level = bytes <= maxBytes ? Number.POSITIVE_INFINITY : bytesForEach([...errors.values()], maxBytes);
  // Removes the largest errors first, so that many large errors do not displace small ones; among
  // equals the one received longest ago.
  const order = [...errors].toSorted(
    ([, a], [, b]) => Number(b.bytes > level) - Number(a.bytes > level) || a.lastReceived - b.lastReceived,
  );
  let left = errors.size;
  let few: number[] = [];
  for (const [id, { bytes: own, events }] of order) {
    if (deps.stopped() || (bytes <= maxBytes && left <= maxErrors)) break;
    bytes -= own;
    left -= 1;
    if (events > fewEvents) await deps.removeError(project.id, id);
    else few.push(id);
    if (few.length === errorsPerStep) {
      await deps.retention.removeErrors(project.id, few);
      few = [];
      await deps.rest();
    }
  }
  if (few.length > 0) await deps.retention.removeErrors(project.id, few);
  return true;
}

/**
 * Returns the largest number of bytes that each may keep so that all keep at most `maxBytes`, in
 * steps of one KiB, which keeps the search short.
 */
export function bytesForEach(held: readonly { readonly bytes: number }[], maxBytes: number): number {
  const kib = 1024;
  return (
    kib *
    retentionLevel(
      held.map(({ bytes }) => Math.ceil(bytes / kib)),
      Math.floor(maxBytes / kib),
    )
  );
}

export function bytesOf(held: readonly { readonly bytes: number }[]): number {
  return held.reduce((sum, { bytes }) => sum + bytes, 0);
}

async function removeOldest(deps: TrimDeps, group: HeldGroup, count: number): Promise<number> {
  const { removed, bytes } = await deps.retention.removeOldest(group, count);
  group.bytes = Math.max(0, group.bytes - bytes);
  await deps.rest();
  return removed;
}

async function sumOf(
  { retention, stopped, rest }: Omit<TrimDeps, 'removeError'>,
  groupId: number,
): Promise<{ events: number; bytes: number; last: number }> {
  let events = 0;
  let bytes = 0;
  let last = 0;
  for (let after: number | null = 0; after !== null && !stopped();) {
    const part = await retention.sumSome(groupId, after);
    events += part.events;
    bytes += part.bytes;
    last = part.last ?? last;
    after = part.more ? part.last : null;
    if (after !== null) await rest();
  }
  return { events, bytes, last };
}
