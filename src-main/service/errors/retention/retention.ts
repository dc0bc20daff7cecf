import type { Logger } from 'pino';
import { setTimeout } from 'node:timers/promises';
import { maxRetentionDays } from '../../contract/projects.ts';
import type { Events } from '../../common/events.ts';
import type { ErrorChangesStore } from '../store/change-errors-store.ts';
import type { KeptGroup, KeptProject, RetentionStore } from '../store/retention-store.ts';
import { bytesOf, bytesForEach, trimProject, withBytes, type HeldGroup, type TrimDeps } from './retention-trim.ts';

export interface RetentionDeps {
  readonly retention: RetentionStore;
  readonly errorChanges: Pick<ErrorChangesStore, 'removeSome'>;
  readonly events: Events;
  readonly log: Logger;
  /** Free bytes on the disk of the data directory. */
  readonly freeBytes: () => Promise<number>;
  /** Checked between two steps. */
  readonly stopped: () => boolean;
}

/** Default limit of a project's stored events, which take some GiB. */
const defaultMaxEvents = 1_000_000;
/** Default limit of the bytes of a project's events. */
const defaultMaxBytes = 4 * 1024 ** 3;
/** Limit of a project's errors; each keeps one event as long as it exists. */
const maxErrors = 100_000;
/**
 * With less free space than this the oldest events are removed, well before the disk is full for
 * everything else (readiness: 256 MiB).
 */
const minFreeBytes = 1024 ** 3;
const shareKeptWhenFull = 0.9;

const minute = 60_000;
const hour = 3600_000;
const day = 24 * hour;
const groupsPerPage = 200;
// Pause between two steps, in which requests have the disk for themselves.
const pauseMs = 10;

/**
 * Removes what need not be kept, in small steps between which events are stored: events beyond the
 * project's days, number and bytes, and on a nearly full disk those of the projects that take most.
 * Counters, first seen and the first event of a group are kept until the whole error is removed, 90
 * days after it was last seen (specification, Limits).
 */
export async function retain(deps: RetentionDeps, now: number): Promise<void> {
  const projects = await deps.retention.projects();
  const touched = new Set<number>();
  for (const project of projects) await removeEnded(deps, project, now, touched);
  const groups = await removeExpired(deps, new Map(projects.map((project) => [project.id, project])), now, touched);
  const lacking = await missingBytes(deps);
  if (lacking > 0)
    deps.log.warn('the disk of the data directory is nearly full: events of the projects that take most are removed');
  const trim = trimDeps(deps);
  const held = new Map<number, HeldGroup[]>();
  for (const [id, ofProject] of groups) held.set(id, await withBytes(trim, ofProject));
  const allowed = bytesAllowed(projects, held, lacking);
  for (const project of projects) {
    const limits = {
      maxEvents: project.most_events ?? defaultMaxEvents,
      maxBytes: allowed.get(project.id) ?? defaultMaxBytes,
      maxErrors,
    };
    if (await trimProject(trim, project, held.get(project.id) ?? [], limits)) touched.add(project.id);
  }
  for (const id of touched) deps.events.emit('changed', { topic: 'errors', id: String(id) });
}

/** Removes whole errors, and the counts of releases and ingestion. */
async function removeEnded(
  deps: RetentionDeps,
  project: KeptProject,
  now: number,
  touched: Set<number>,
): Promise<void> {
  const end = now - maxRetentionDays * day;
  for (
    let ids = await deps.retention.lastReceivedBefore(project.id, end);
    ids.length > 0;
    ids = await deps.retention.lastReceivedBefore(project.id, end)
  ) {
    touched.add(project.id);
    for (const id of ids) {
      while (!deps.stopped() && !(await deps.errorChanges.removeSome(project.id, id))) await rest(deps);
      if (deps.stopped()) return;
    }
  }
  while (!deps.stopped() && (await deps.retention.removeOldCounts(project.id, end))) await rest(deps);
}

/** Removes events that are too old. @returns the groups of each project. */
async function removeExpired(
  deps: RetentionDeps,
  projects: ReadonlyMap<number, KeptProject>,
  now: number,
  touched: Set<number>,
): Promise<ReadonlyMap<number, readonly KeptGroup[]>> {
  const ofProject = new Map<number, KeptGroup[]>();
  let last = 0;
  while (!deps.stopped()) {
    const page = await deps.retention.groupsAfter(last, groupsPerPage);
    if (page.length === 0) break;
    for (const group of page) {
      last = group.id;
      const others = ofProject.get(group.project_id);
      if (others) others.push(group);
      else ofProject.set(group.project_id, [group]);
      const days = Math.min(projects.get(group.project_id)?.retention_days ?? maxRetentionDays, maxRetentionDays);
      if (group.first_seen >= now - days * day) continue;
      while (!deps.stopped() && (await deps.retention.removeReceivedBefore(group, now - days * day)) > 0) {
        touched.add(group.project_id);
        await rest(deps);
      }
      if (group.first_seen < now - maxRetentionDays * day)
        await deps.retention.removeHours(group.id, Math.floor(now / hour) - maxRetentionDays * 24);
      while (!deps.stopped() && (await deps.retention.removeMinutes(group.id, Math.floor((now - days * day) / minute))))
        await rest(deps);
    }
    await rest(deps);
  }
  return ofProject;
}

/**
 * Returns the bytes that each project may keep. On a full disk the projects that take most are cut
 * to the level of the next ones, by at most a tenth of all bytes per run, because something else
 * may have filled the disk.
 */
function bytesAllowed(
  projects: readonly KeptProject[],
  held: ReadonlyMap<number, readonly HeldGroup[]>,
  lackingBytes: number,
): ReadonlyMap<number, number> {
  const own = projects.map(({ id, max_bytes: maxBytes }) => ({
    id,
    bytes: Math.min(bytesOf(held.get(id) ?? []), maxBytes ?? defaultMaxBytes),
  }));
  const all = bytesOf(own);
  const level =
    lackingBytes <= 0
      ? Number.POSITIVE_INFINITY
      : bytesForEach(own, Math.max(all - lackingBytes, all * shareKeptWhenFull));
  return new Map(projects.map(({ id, max_bytes: maxBytes }) => [id, Math.min(maxBytes ?? defaultMaxBytes, level)]));
}

function trimDeps(deps: RetentionDeps): TrimDeps {
  return {
    retention: deps.retention,
    stopped: deps.stopped,
    rest: async () => rest(deps),
    removeError: async (projectId, errorId) => {
      while (!deps.stopped() && !(await deps.errorChanges.removeSome(projectId, errorId))) await rest(deps);
    },
  };
}

/**
 * Returns the bytes missing to the free space that new events need; zero or negative when there is
 * enough.
 */
async function missingBytes(deps: Pick<RetentionDeps, 'freeBytes' | 'retention'>): Promise<number> {
  return minFreeBytes - (await deps.freeBytes()) - (await deps.retention.reusableBytes());
}

/** Whether the disk is so full that events are removed. */
export async function isNearlyFull(deps: Pick<RetentionDeps, 'freeBytes' | 'retention'>): Promise<boolean> {
  return (await missingBytes(deps)) > 0;
}

async function rest(deps: RetentionDeps): Promise<void> {
  if (!deps.stopped()) await setTimeout(pauseMs);
}
