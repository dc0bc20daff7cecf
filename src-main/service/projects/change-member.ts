import type { UserRow } from '../accounts/store/user-rows.ts';
import { HttpProblem } from '../common/problem.ts';
import { atTheMachine, type Actor } from '../http/principal.ts';
import type { ProjectRole, ProjectRow } from './projects-store.ts';
import type { ProjectStores } from './stores.ts';
import type { AuditStores } from '../audit/stores.ts';
import type { ServiceContext } from '../http/service-context.ts';

type Deps = Pick<ProjectStores, 'projects' | 'members'> &
  Pick<AuditStores, 'audit'> &
  Pick<ServiceContext, 'changes' | 'events'>;

/** The actor of a change, with their role in the project. */
export interface ActingMember extends Actor {
  readonly role: ProjectRole;
}

/**
 * Adds a member to a project or changes a member's role.
 *
 * @throws HttpProblem 403 when an owner is affected and the actor is not one, 409 for the last
 * owner.
 */
export async function changeMember(
  services: Deps,
  project: ProjectRow,
  user: UserRow,
  role: ProjectRole,
  by: ActingMember,
): Promise<void> {
  const before = await services.projects.roleOf(project.id, user.id);
  if (before === role) return;
  if (role === 'owner' || before === 'owner') requireOwner(by);
  if (!(await services.members.setRole(project.id, user.id, role))) throw lastOwner(user);
  await record(services, project, `${user.username} ${role}`, by);
}

/**
 * Ends a membership, and with it the access granted to the project.
 *
 * @throws HttpProblem 403 and 409 as `changeMember`, 404 for a user who is not a member.
 */
export async function removeMember(
  services: Deps,
  project: ProjectRow,
  user: UserRow,
  by: ActingMember,
): Promise<void> {
  const before = await services.projects.roleOf(project.id, user.id);
  if (before === null) throw new HttpProblem(404, `${user.username} is not a member of ${project.path}.`);
  if (before === 'owner') requireOwner(by);
  if (!(await services.members.remove(project.id, user.id))) throw lastOwner(user);
  await record(services, project, `${user.username} removed`, by);
}

/** Sets a role from the command line, to which the rules among members do not apply. */
export async function setMember(services: Deps, project: ProjectRow, user: UserRow, role: ProjectRole): Promise<void> {
  await services.projects.setMember(project.id, user.id, role);
  await record(services, project, `${user.username} ${role}`, atTheMachine);
}

function requireOwner(by: ActingMember): void {
  if (by.role !== 'owner')
    throw new HttpProblem(
      403,
      'Only an owner of the project may make somebody an owner or change the role of an owner.',
    );
}

function lastOwner(user: UserRow): HttpProblem {
  return new HttpProblem(
    409,
    `${user.username} is the last owner of this project. Make somebody else an owner first.`,
    { type: 'last-owner' },
  );
}

async function record(services: Deps, project: ProjectRow, detail: string, by: Actor): Promise<void> {
  services.changes.bump();
  await services.audit.record({ ...by, action: 'project.member', subject: `project:${project.id}`, detail });
  services.events.emit('changed', { topic: 'projects', id: String(project.id) });
}
