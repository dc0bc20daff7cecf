import { HttpProblem } from '../http/problem.ts';
import type { Services } from '../services.ts';
import { atTheMachine } from '../tokens/principal.ts';
import type { ProjectRole } from './projects-store.ts';

type Needs = Pick<Services, 'projects' | 'users' | 'audit' | 'changes' | 'events'>;

/**
 * Makes a user a member of a project, or gives a member another role, for the command line: whoever works at the machine is not held to the rules
 * among members that `changeMember` keeps.
 *
 * @throws HttpProblem 404 for an unknown project or user.
 */
export async function setMember(services: Needs, path: string, username: string, role: ProjectRole): Promise<void> {
  const project = await services.projects.byPath(path);
  if (!project) throw new HttpProblem(404, `There is no project ${path}. Create it with "benchport project create ${path}".`);
  const user = await services.users.byUsername(username);
  if (!user) throw new HttpProblem(404, `There is no user ${username}.`);
  await services.projects.setMember(project.id, user.id, role);
  services.changes.bump();
  await services.audit.record({ ...atTheMachine, action: 'project.member', subject: `project:${project.id}`, detail: `${user.username} ${role}` });
  services.events.emit('changed', { topic: 'projects', id: String(project.id) });
}
