import { HttpProblem } from '../../common/problem.ts';
import { roleIn } from '../../projects/require-role.ts';
import type { Actor, Principal } from '../../http/principal.ts';
import type { GrantSubject, GrantWithNames } from '../store/grants-store.ts';
import type { Events } from '../../common/events.ts';
import type { ChangeCounter } from '../../database/change-counter.ts';
import type { AccountStores } from '../../accounts/store/stores.ts';
import type { ProjectStores } from '../../projects/stores.ts';
import type { MeasurementStores } from '../store/stores.ts';
import type { AuditStores } from '../../audit/stores.ts';

type Deps = Pick<AccountStores, 'users'> &
  Pick<ProjectStores, 'projects'> &
  Pick<MeasurementStores, 'grants'> &
  Pick<AuditStores, 'audit'> & { readonly events: Events; readonly changes: ChangeCounter };

/** Grantee by name; exactly one must be given. */
export interface GrantRequest {
  readonly user?: string | undefined;
  readonly project?: string | undefined;
  readonly everyone?: boolean | undefined;
}

/**
 * Resolves the grantee of a request.
 *
 * @param by The user who names a project; null for one who may see all projects.
 * @throws HttpProblem 400 for none or several, 404 for an unknown name, with no difference between
 * a project that does not exist and one that the user may not see.
 */
export async function grantSubject(
  deps: Pick<Deps, 'users' | 'projects'>,
  request: GrantRequest,
  by: Principal | null,
): Promise<GrantSubject> {
  const given = [request.user !== undefined, request.project !== undefined, request.everyone === true].filter(
    Boolean,
  ).length;
  if (given !== 1) throw new HttpProblem(400, 'Name one of: user, project, everyone.', { type: 'invalid-request' });
  if (request.user !== undefined) {
    const user = await deps.users.byUsername(request.user);
    if (!user) throw new HttpProblem(404, `There is no user ${request.user}.`);
    return { userId: user.id };
  }
  if (request.project !== undefined) {
    const project = await deps.projects.byPath(request.project);
    if (!project || (by && !(await roleIn(deps, by, project)))) {
      throw new HttpProblem(
        404,
        `There is no project ${request.project}${by ? ', or you are not a member of it' : ''}.`,
      );
    }
    return { projectId: project.id };
  }
  return { everyone: true };
}

/** Grants read access until a time or without end; an existing grant gets the new end. */
export async function grantAccess(
  deps: Deps,
  measurementId: string,
  subject: GrantSubject,
  until: number | null,
  by: Actor,
): Promise<GrantWithNames> {
  const { id } = await deps.grants.grant(measurementId, subject, until, by.userId);
  deps.changes.bump();
  const grant = await deps.grants.byId(measurementId, id);
  if (!grant) throw new Error('the grant is gone');
  const end = until === null ? 'without end' : `until ${new Date(until).toISOString()}`;
  await deps.audit.record({
    ...by,
    action: 'measurement.grant',
    subject: `measurement:${measurementId}`,
    detail: `${nameOfSubject(grant)}, ${end}`,
  });
  deps.events.emit('changed', { topic: 'measurements', id: measurementId });
  return grant;
}

/**
 * Revokes a grant; downloads that rely on it end within two seconds.
 *
 * @returns whether the grant existed.
 */
export async function revokeAccess(deps: Deps, measurementId: string, grantId: number, by: Actor): Promise<boolean> {
  const grant = await deps.grants.byId(measurementId, grantId);
  if (!grant || !(await deps.grants.revoke(measurementId, grantId))) return false;
  deps.changes.bump();
  await deps.audit.record({
    ...by,
    action: 'measurement.revoke',
    subject: `measurement:${measurementId}`,
    detail: nameOfSubject(grant),
  });
  deps.events.emit('changed', { topic: 'measurements', id: measurementId });
  return true;
}

function nameOfSubject(grant: GrantWithNames): string {
  if (grant.everyone === 1) return 'everyone';
  return grant.user_id === null ? `project ${grant.project_path ?? ''}` : `user ${grant.username ?? ''}`;
}
