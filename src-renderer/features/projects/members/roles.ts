import type { Project, ProjectMember } from '../../../api/requests/types.ts';

export type Role = ProjectMember['role'];

/** The roles in ascending order, with the additional and the total rights of each. */
export const roles: readonly { readonly role: Role; readonly may: string; readonly inAll: string }[] = [
  { role: 'reporter', inAll: 'Sees errors.', may: 'Sees the project, its members and its errors.' },
  { role: 'developer', inAll: 'Works on errors.', may: 'Also resolves, ignores and merges errors.' },
  {
    role: 'maintainer',
    inAll: 'Errors, settings, client keys, members.',
    may: 'Also deletes errors, changes settings and members, and reads, creates and deletes client keys.',
  },
  { role: 'owner', inAll: 'Everything.', may: 'Also makes others owners, and deletes the project.' },
];

/** A role with its article, as in `You are an owner here`. */
export const aRole = (role: Role): string => (role === 'owner' ? 'an owner' : `a ${role}`);

/** Why an action is not allowed, and which members can change the role. */
export function whyNot(project: Pick<Project, 'role'>, needed: Role, members: readonly ProjectMember[]): string {
  const owners = members.filter((member) => member.role === 'owner').map((member) => member.username);
  const who =
    owners.length === 0
      ? 'An administrator'
      : owners.length === 1
        ? `The owner, ${owners[0] ?? ''},`
        : `An owner (${owners.join(', ')})`;
  return `This needs the role ${needed}. You are ${project.role === null ? 'not a member' : aRole(project.role)} here. ${who} can change your role.`;
}

/** Why the user cannot change a member's role; null when they can. */
export function memberStays(
  member: ProjectMember,
  members: readonly ProjectMember[],
  as: { readonly manages: boolean; readonly owns: boolean },
): string | null {
  if (!as.manages) return 'Only maintainers and owners can change members.';
  if (member.role !== 'owner') return null;
  if (!as.owns) return 'Only owners can change the role of an owner.';
  return members.some((other) => other.role === 'owner' && other.id !== member.id)
    ? null
    : 'A project needs an owner. Make somebody else an owner first.';
}
