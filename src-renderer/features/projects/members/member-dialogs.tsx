import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import type { Project, ProjectMember } from '../../../api/requests/types.ts';
import { useApp } from '../../../context/context.ts';
import { Dialog } from '../../../ui/dialogs/dialog.tsx';
import { DialogForm } from '../../../ui/dialogs/form.tsx';
import { roles, type Role } from './roles.ts';
import { TextField } from '../../../ui/controls/text-field.tsx';
import { RadioChoices } from '../../../ui/controls/radio-choices.tsx';

export interface AddMemberDialogProps {
  readonly open: boolean;
  readonly project: Project;
  /** Whether the user may make others owners. */
  readonly owns: boolean;
  readonly members: readonly ProjectMember[];
  readonly onClose: () => void;
  readonly onSaved: () => Promise<unknown>;
}

/** Adds an existing user to a project. */
export function AddMemberDialog({ open, onClose, ...rest }: AddMemberDialogProps) {
  return (
    <Dialog open={open} onClose={onClose} title={`Add a member to ${rest.project.path}`}>
      <AddForm onClose={onClose} {...rest} />
    </Dialog>
  );
}

function AddForm({ project, owns, members, onClose, onSaved }: Omit<AddMemberDialogProps, 'open'>) {
  const { queries, actions } = useApp();
  const [name, setName] = useState('');
  const [role, setRole] = useState<Role>('developer');
  const found = useQuery({ ...queries.users(useDeferredValue(name.trim())), placeholderData: keepPreviousData });
  const already = members.find((member) => member.username === name.trim());

  async function add(): Promise<void> {
    const user = (found.data ?? []).find((one) => one.username === name.trim());
    if (user === undefined) throw new Error(`There is no active user ${name.trim()}. An administrator can add one.`);
    await actions.setMember(project.path, user.id, role);
    onClose();
    await onSaved();
  }

  return (
    <DialogForm
      verb="Add"
      ready={name.trim() !== '' && already === undefined && !found.isPlaceholderData}
      onSubmit={add}
      onCancel={onClose}
    >
      <TextField
        label="User name"
        error={already === undefined ? null : `${already.username} is already a member, as ${already.role}.`}
        required
        spellCheck={false}
        maxLength={255}
        suggestions={(found.data ?? []).map((user) => ({ value: user.username, label: user.name }))}
        value={name}
        onChange={setName}
      />
      <RoleChoices value={role} owns={owns} onChange={setRole} />
    </DialogForm>
  );
}

export interface ChangeRoleDialogProps {
  readonly member: ProjectMember | null;
  readonly project: Project;
  readonly owns: boolean;
  readonly onClose: () => void;
  readonly onSaved: () => Promise<unknown>;
}

/** Changes the role of a member. */
export function ChangeRoleDialog({ member, onClose, ...rest }: ChangeRoleDialogProps) {
  return (
    <Dialog open={member !== null} onClose={onClose} title={`Change the role of ${member?.username ?? ''}`}>
      {member === null ? null : <RoleForm member={member} onClose={onClose} {...rest} />}
    </Dialog>
  );
}

function RoleForm({
  member,
  project,
  owns,
  onClose,
  onSaved,
}: ChangeRoleDialogProps & { readonly member: ProjectMember }) {
  const { actions } = useApp();
  const [role, setRole] = useState<Role>(member.role);
  return (
    <DialogForm
      verb="Save"
      ready={role !== member.role}
      onSubmit={async () => {
        await actions.setMember(project.path, member.id, role);
        onClose();
        await onSaved();
      }}
      onCancel={onClose}
    >
      <RoleChoices value={role} owns={owns} onChange={setRole} />
    </DialogForm>
  );
}

function RoleChoices({
  value,
  owns,
  onChange,
}: {
  readonly value: Role;
  readonly owns: boolean;
  readonly onChange: (role: Role) => void;
}) {
  return (
    <RadioChoices
      legend="Role"
      name="role"
      value={value}
      choices={roles.map(({ role, may }) => ({
        value: role,
        label: role,
        meaning: role === 'owner' && !owns ? `${may} Only owners make others owners.` : may,
        disabled: role === 'owner' && !owns,
      }))}
      onChange={onChange}
    />
  );
}
