import type { Logger } from 'pino';
import { setTimeout } from 'node:timers/promises';
import { longestRetentionDays } from '../contract/projects.ts';
import type { Events } from '../events.ts';
import type { ErrorChangesStore } from './change-errors-store.ts';
import { retentionLevel } from './retention-level.ts';
import type { KeptGroup, KeptProject, RetentionStore } from './retention-store.ts';

export interface RetentionNeeds {
  readonly retention: RetentionStore;
  readonly errorChanges: Pick<ErrorChangesStore, 'removeSome'>;
  readonly events: Events;
  readonly log: Logger;
  /** Free bytes on the disk of the data directory. */
  readonly freeBytes: () => Promise<number>;
  /** Asked between any two steps. */
  readonly stopped: () => boolean;
}

/** Events that a project stores at most unless its settings say otherwise: some GiB. */
const usualMostEvents = 1_000_000;
/** Below this much room for new events the oldest go, well before the disk is full for everything else (readiness: 256 MiB). */
const leastRoom = 1024 ** 3;
const shareKeptWhenFull = 0.9;

const hour = 3600_000;
const day = 24 * hour;
const groupsAtOnce = 200;
// Each step waits for the disk; requests have all the time between two of them.
const pause = 10;

/**
 * Removes what need not be kept, in small steps between which events come in: events beyond the project's days and number, and the oldest when the
 * disk runs full. Counters, first seen and the first event of a group outlive that; they go with the whole error, 90 days after it was last seen
 * (specification, Limits).
 */
export async function retain(needs: RetentionNeeds, now: number): Promise<void> {
  const projects = await needs.retention.projects();
  const touched = new Set<number>();
  for (const project of projects) await removeEnded(needs, project, now, touched);
  const groups = await removeExpired(needs, new Map(projects.map((project) => [project.id, project])), now, touched);
  const full = await isFull(needs);
  if (full) needs.log.warn('the disk of the data directory is nearly full: the oldest events of errors are removed');
  for (const project of projects) await removeBeyond(needs, project, groups.get(project.id) ?? [], full, touched);
  for (const id of touched) needs.events.emit('changed', { topic: 'errors', id: String(id) });
}

/** Whole errors, and what was counted for releases and the intake. */
async function removeEnded(needs: RetentionNeeds, project: KeptProject, now: number, touched: Set<number>): Promise<void> {
  const end = now - longestRetentionDays * day;
  for (let ids = await needs.retention.lastSeenBefore(project.id, end); ids.length > 0; ids = await needs.retention.lastSeenBefore(project.id, end)) {
    touched.add(project.id);
    for (const id of ids) {
      while (!needs.stopped() && !(await needs.errorChanges.removeSome(project.id, id))) await rest(needs);
      if (needs.stopped()) return;
    }
  }
  while (!needs.stopped() && (await needs.retention.removeOldCounts(project.id, end))) await rest(needs);
}

/** Events that are too old. @returns the groups of each project. */
async function removeExpired(
  needs: RetentionNeeds,
  projects: ReadonlyMap<number, KeptProject>,
  now: number,
  touched: Set<number>,
): Promise<ReadonlyMap<number, readonly KeptGroup[]>> {
  const ofProject = new Map<number, KeptGroup[]>();
  let last = 0;
  while (!needs.stopped()) {
    const page = await needs.retention.groupsAfter(last, groupsAtOnce);
    if (page.length === 0) break;
    for (const group of page) {
      last = group.id;
      const others = ofProject.get(group.project_id);
      if (others) others.push(group);
      else ofProject.set(group.project_id, [group]);
      const days = Math.min(projects.get(group.project_id)?.retention_days ?? longestRetentionDays, longestRetentionDays);
      if (group.first_seen >= now - days * day) continue;
      while (!needs.stopped() && (await needs.retention.removeReceivedBefore(group, now - days * day)) > 0) {
        touched.add(group.project_id);
        await rest(needs);
      }
      if (group.first_seen < now - longestRetentionDays * day) await needs.retention.removeHours(group.id, Math.floor(now / hour) - longestRetentionDays * 24);
    }
    await rest(needs);
  }
  return ofProject;
}

/** Events beyond the number that the project keeps, or when the disk is full a tenth of them. */
async function removeBeyond(needs: RetentionNeeds, project: KeptProject, groups: readonly KeptGroup[], full: boolean, touched: Set<number>): Promise<void> {
  const limit = project.most_events ?? usualMostEvents;
  const received = groups.reduce((sum, { events }) => sum + events, 0);
  // Never more are stored than were received, so mostly nothing has to be counted.
  if (!full && received <= limit) return;
  const counts: number[] = [];
  for (const group of groups) counts.push(await stored(needs, group));
  const all = counts.reduce((sum, count) => sum + count, 0);
  const most = full ? Math.min(limit, Math.floor(all * shareKeptWhenFull)) : limit;
  if (all <= most) return;
  const level = retentionLevel(counts, most);
  for (const [place, group] of groups.entries()) {
    let excess = (counts[place] ?? 0) - level;
    while (excess > 0 && !needs.stopped()) {
      const removed = await needs.retention.removeOldest(group, excess);
      if (removed === 0) break;
      excess -= removed;
      touched.add(project.id);
      await rest(needs);
    }
  }
}

async function stored(needs: RetentionNeeds, group: KeptGroup): Promise<number> {
  let count = 0;
  for (let after: number | null = 0; after !== null && !needs.stopped();) {
    const { counted, last } = await needs.retention.countSome(group.id, after);
    count += counted;
    after = last;
    if (after !== null) await rest(needs);
  }
  return count;
}

async function isFull(needs: RetentionNeeds): Promise<boolean> {
  return (await needs.freeBytes()) + (await needs.retention.roomInside()) < leastRoom;
}

async function rest(needs: RetentionNeeds): Promise<void> {
  if (!needs.stopped()) await setTimeout(pause);
}
