import type { NotificationKind } from '../../contract/notifications/notifications.ts';
import type { UserRow } from '../../accounts/store/user-rows.ts';
import type { Audience, OutboxRow } from '../store/deliveries-store.ts';
import type { NotificationRuleRow } from '../store/notification-rules-store.ts';

/** A rule with what decides of what it tells, read when happenings are distributed. */
export interface Listener {
  readonly rule: NotificationRuleRow;
  /** Null for the rule of a project. */
  readonly user: Pick<UserRow, 'id' | 'is_admin'> | null;
  /** Projects that the user is a member of. */
  readonly projects: ReadonlySet<number>;
}

type Judged = Pick<OutboxRow, 'kind' | 'user_id' | 'project_id' | 'measurement_id' | 'owner_id'>;

/** Kinds of which members of a project hear by their own rules as well. */
const ofErrors: ReadonlySet<NotificationKind> = new Set(['error-new', 'error-regressed', 'error-storm']);

/** Runs are told to projects besides owners and administrators, by rules of projects alone. */
const isForProjectRules = ({ kind, project_id: projectId }: Judged): boolean =>
  projectId !== null && !ofErrors.has(kind);

/** Kinds that are summed up for each user, and that an administrator's rule for everybody tells too. */
const summedForUsers: ReadonlySet<NotificationKind> = new Set(['copy-late']);

/**
 * A happening of a user alone is for that user, of an error for the members of its project, of a
 * measurement for its owner. Whoever a rule of a watched folder names has a happening of their own. Runs of watched folders belong to nobody before they are registered,
 * and disks, backups and benches to the machine: they are for administrators.
 */
export function audienceOf(happening: Judged): Audience | null {
  if (isForProjectRules(happening)) return null;
  const { user_id: userId, project_id: projectId, owner_id: ownerId } = happening;
  if (userId !== null) return { user: userId, project: null };
  if (projectId !== null) return { user: null, project: projectId };
  return { user: ownerId, project: null };
}

/** Whether the rule of a project tells of a happening: of its own, and of measurements that its members may read. */
function isOfProject(happening: Judged & Pick<OutboxRow, 'readers'>, ruleProject: number | null): boolean {
  const { kind, user_id: userId, project_id: projectId, readers } = happening;
  if (ruleProject === null || userId !== null) return false;
  if (projectId !== null) return projectId === ruleProject;
  // A project is told when its members may read what was registered.
  return kind !== 'run-registered' && readers.includes(ruleProject);
}

/**
 * Whether a rule tells of a happening: that of a project of what is for its members, that of a user
 * of what is for the user, and of measurements and errors of all where an administrator wants to
 * hear of everybody's.
 */
export function isTold(
  { rule, user, projects }: Listener,
  happening: Judged & Pick<OutboxRow, 'at' | 'readers'>,
  now: number,
): boolean {
  const { kinds, everybody, paused, project_id: onlyProject } = rule.settings;
  if (paused || !kinds.includes(happening.kind)) return false;
  // A rule tells nothing from before it was made, unless the clock was set back since.
  if (happening.at < rule.created_at && rule.created_at <= now) return false;
  if (user === null) return isOfProject(happening, rule.project_id);
  const audience = audienceOf(happening);
  if (audience === null) return false;
  const isAdmin = user.is_admin === 1;
  const isOfOneAlone = happening.user_id !== null && !summedForUsers.has(happening.kind);
  const hearsAll = everybody && isAdmin && !isOfOneAlone;
  if (audience.project !== null) {
    const isFor = hearsAll || projects.has(audience.project);
    return isFor && (onlyProject === null || onlyProject === audience.project);
  }
  if (audience.user !== null || happening.measurement_id !== null) return hearsAll || audience.user === user.id;
  return isAdmin;
}
