import type { UserRow } from '../../accounts/store/user-rows.ts';
import type { OutboxRow } from '../store/deliveries-store.ts';
import type { NotificationRuleRow } from '../store/notification-rules-store.ts';

/** A rule with what decides of what it tells, read when happenings are distributed. */
export interface Listener {
  readonly rule: NotificationRuleRow;
  readonly user: Pick<UserRow, 'id' | 'is_admin'>;
  /** Projects that the user is a member of. */
  readonly projects: ReadonlySet<number>;
}

/**
 * Whether a rule tells its user of a happening: of own measurements, errors of own projects, and of
 * all of them where an administrator wants to hear of everybody's.
 */
export function isTold({ rule, user, projects }: Listener, happening: OutboxRow): boolean {
  const { kinds, everybody, paused, project_id: onlyProject } = rule.settings;
  if (paused || !kinds.includes(happening.kind)) return false;
  const hearsAll = everybody && user.is_admin === 1;
  if (happening.project_id !== null) {
    const isMember = projects.has(happening.project_id);
    return (hearsAll || isMember) && (onlyProject === null || onlyProject === happening.project_id);
  }
  if (happening.measurement_id !== null) return hearsAll || happening.owner_id === user.id;
  // Of a bench, or of a watched folder, whose runs belong to nobody before they are registered.
  return user.is_admin === 1;
}
