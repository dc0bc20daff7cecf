import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { UserPlus } from 'lucide-react';
import { useState } from 'react';
import type { Project, ProjectMember } from '../../../api/requests/types.ts';
import { useApp, useCommand, useSession } from '../../../context/context.ts';
import { ConfirmDialog } from '../../../ui/dialogs/confirm-dialog.tsx';
import { EmptyState } from '../../../ui/notes/empty-state.tsx';
import { NotLoaded } from '../../../ui/notes/not-loaded.tsx';
import { AddMemberDialog, ChangeRoleDialog } from './member-dialogs.tsx';
import { MemberTable } from './member-table.tsx';
import { CommandButton } from '../../../ui/controls/command-button.tsx';
import styles from './members-tab.module.css';
import { NotAllowed } from './not-allowed.tsx';
import { aRole } from './roles.ts';

type Asked = { readonly what: 'role' | 'remove'; readonly member: ProjectMember };

/** Members of a project and their roles. */
export function MembersTab({ project }: { readonly project: Project }) {
  const { queries, actions } = useApp();
  const { user } = useSession();
  const client = useQueryClient();
  const navigate = useNavigate();
  const { data, error, refetch } = useQuery(queries.projectMembers(project.path));
  const [adding, setAdding] = useState(false);
  const [asked, setAsked] = useState<Asked | null>(null);
  const owns = user?.is_admin === true || project.role === 'owner';
  useCommand('add-member', project.may_manage ? () => setAdding(true) : null);
  const refresh = (): Promise<void> => client.invalidateQueries({ queryKey: ['projects'] });
  const removing = asked?.what === 'remove' ? asked.member : null;
  const leaving = removing !== null && removing.id === user?.id;

  return (
    <>
      <div className={styles['bar']}>
        {project.may_manage ? (
          <>
            <p>
              {project.role === null
                ? 'You are not a member, but as an administrator you can do what an owner can.'
                : `You are ${aRole(project.role)} here.`}
            </p>
            <CommandButton look="primary" icon={<UserPlus aria-hidden />} command="add-member">
              Add member
            </CommandButton>
          </>
        ) : (
          <div>
            <NotAllowed project={project} needed="maintainer" what="You cannot change members." />
          </div>
        )}
      </div>
      <NotLoaded of={{ data, error, refetch }} />
      {data === undefined ? null : data.length === 0 ? (
        <EmptyState title="This project has no members. Administrators can still see it." />
      ) : (
        <MemberTable
          members={data}
          ownId={user?.id}
          as={{ manages: project.may_manage, owns }}
          onChange={(member) => setAsked({ what: 'role', member })}
          onRemove={(member) => setAsked({ what: 'remove', member })}
        />
      )}
      <AddMemberDialog
        open={adding}
        project={project}
        owns={owns}
        members={data ?? []}
        onClose={() => setAdding(false)}
        onSaved={refresh}
      />
      <ChangeRoleDialog
        member={asked?.what === 'role' ? asked.member : null}
        project={project}
        owns={owns}
        onClose={() => setAsked(null)}
        onSaved={refresh}
      />
      <ConfirmDialog
        open={removing !== null}
        title={leaving ? `Leave ${project.path}?` : `Remove ${removing?.username ?? ''} from ${project.path}?`}
        verb={leaving ? 'Leave' : 'Remove'}
        onConfirm={async () => {
          if (removing !== null) await actions.removeMember(project.path, removing.id);
          if (leaving && !user.is_admin) await navigate({ to: '/projects', replace: true });
          await refresh();
        }}
        onClose={() => setAsked(null)}
      >
        <p>
          {leaving ? 'You' : (removing?.username ?? '')} can no longer see the project, its errors, and the measurements
          that were shared with it. A maintainer can add {leaving ? 'you' : 'them'} again.
        </p>
      </ConfirmDialog>
    </>
  );
}
