import type { Logger } from 'pino';
import { setTimeout } from 'node:timers/promises';
import { longestRetentionDays } from '../../contract/projects.ts';
import type { Events } from '../../common/events.ts';
import type { ErrorChangesStore } from '../store/change-errors-store.ts';
import type { KeptGroup, KeptProject, RetentionStore } from '../store/retention-store.ts';
import { bytesOf, levelOf, trimProject, withBytes, type HeldGroup, type TrimNeeds } from './retention-trim.ts';

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
/** Bytes of events that a project keeps unless its settings say otherwise. */
const defaultMaxBytes = 4 * 1024 ** 3;
/** Errors that a project keeps; each keeps an event for as long as it is there. */
const maxErrors = 100_000;
/** Below this much room for new events the oldest go, well before the disk is full for everything else (readiness: 256 MiB). */
const leastRoom = 1024 ** 3;
const shareKeptWhenFull = 0.9;

const hour = 3600_000;
const day = 24 * hour;
const groupsAtOnce = 200;
// Each step waits for the disk; requests have all the time between two of them.
const pause = 10;

/**
 * Removes what need not be kept, in small steps between which events come in: events beyond the project's days, number and bytes, and those of the projects
 * that take most when the disk runs full. Counters, first seen and the first event of a group outlive that; they go with the whole error, 90 days after it was last seen
 * (specification, Limits).
 */
export async function retain(needs: RetentionNeeds, now: number): Promise<void> {
  const projects = await needs.retention.projects();
  const touched = new Set<number>();
  for (const project of projects) await removeEnded(needs, project, now, touched);
  const groups = await removeExpired(needs, new Map(projects.map((project) => [project.id, project])), now, touched);
  const lacking = await lackingRoom(needs);
  if (lacking > 0) needs.log.warn('the disk of the data directory is nearly full: events of the projects that take most are removed');
  const trim = trimNeeds(needs);
  const held = new Map<number, HeldGroup[]>();
  for (const [id, ofProject] of groups) held.set(id, await withBytes(trim, ofProject));
  const allowed = bytesAllowed(projects, held, lacking);
  for (const project of projects) {
    const limits = { maxEvents: project.most_events ?? usualMostEvents, maxBytes: allowed.get(project.id) ?? defaultMaxBytes, maxErrors };
    if (await trimProject(trim, project, held.get(project.id) ?? [], limits)) touched.add(project.id);
  }
  for (const id of touched) needs.events.emit('changed', { topic: 'errors', id: String(id) });
}

/** Whole errors, and what was counted for releases and the intake. */
async function removeEnded(needs: RetentionNeeds, project: KeptProject, now: number, touched: Set<number>): Promise<void> {
  const end = now - longestRetentionDays * day;
  for (let ids = await needs.retention.lastReceivedBefore(project.id, end); ids.length > 0; ids = await needs.retention.lastReceivedBefore(project.id, end)) {
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

/**
 * What each project may keep. A full disk takes from the projects that take most, down to what the next one takes, and a tenth of everything at a time, because
 * something else may have filled the disk.
 */
function bytesAllowed(projects: readonly KeptProject[], held: ReadonlyMap<number, readonly HeldGroup[]>, lackingBytes: number): ReadonlyMap<number, number> {
  const own = projects.map(({ id, max_bytes: maxBytes }) => ({ id, bytes: Math.min(bytesOf(held.get(id) ?? []), maxBytes ?? defaultMaxBytes) }));
  const all = bytesOf(own);
  const level = lackingBytes <= 0 ? Number.POSITIVE_INFINITY : levelOf(own, Math.max(all - lackingBytes, all * shareKeptWhenFull));
  return new Map(projects.map(({ id, max_bytes: maxBytes }) => [id, Math.min(maxBytes ?? defaultMaxBytes, level)]));
}

function trimNeeds(needs: RetentionNeeds): TrimNeeds {
  return {
    retention: needs.retention,
    stopped: needs.stopped,
    rest: async () => rest(needs),
    removeError: async (projectId, errorId) => {
      while (!needs.stopped() && !(await needs.errorChanges.removeSome(projectId, errorId))) await rest(needs);
    },
  };
}

/** Bytes that are missing to the room that new events need; none or fewer where there is enough. */
async function lackingRoom(needs: Pick<RetentionNeeds, 'freeBytes' | 'retention'>): Promise<number> {
  return leastRoom - (await needs.freeBytes()) - (await needs.retention.roomInside());
}

/** Whether there is so little room that events go. */
export async function isNearlyFull(needs: Pick<RetentionNeeds, 'freeBytes' | 'retention'>): Promise<boolean> {
  return (await lackingRoom(needs)) > 0;
}

async function rest(needs: RetentionNeeds): Promise<void> {
  if (!needs.stopped()) await setTimeout(pause);
}
