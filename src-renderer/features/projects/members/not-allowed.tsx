import { useQuery } from '@tanstack/react-query';
import type { Project } from '../../../api/requests/types.ts';
import { useApp } from '../../../context/context.ts';
import { Note } from '../../../ui/notes/note.tsx';
import { whyNot, type Role } from './roles.ts';

/** States an action that is not allowed in a project, why, and who can change that. */
export function NotAllowed({
  project,
  needed,
  what,
}: {
  readonly project: Project;
  readonly needed: Role;
  readonly what: string;
}) {
  const { queries } = useApp();
  const members = useQuery(queries.projectMembers(project.path));
  return (
    <Note kind="info">
      <p>
        {what} {whyNot(project, needed, members.data ?? [])}
      </p>
    </Note>
  );
}
