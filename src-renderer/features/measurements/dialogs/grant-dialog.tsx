import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import { ApiError } from '../../../api/requests/problem.ts';
import type { NewGrant } from '../../../api/requests/types.ts';
import { useApp } from '../../../context/context.ts';
import { runForMany } from '../../../context/run-for-many.ts';
import { Dialog } from '../../../ui/dialogs/dialog.tsx';
import { DialogForm } from '../../../ui/dialogs/form.tsx';
import { countOf } from '../../../../src-shared/format/quantities.ts';
import { dayAfter } from '../../../../src-shared/format/times.ts';
import { useNow } from '../../../ui/hooks/use-now.ts';
import { TextField } from '../../../ui/controls/text-field.tsx';
import { RadioChoices } from '../../../ui/controls/radio-choices.tsx';

export interface GrantDialogProps {
  readonly open: boolean;
  /** Ids of one or several measurements. */
  readonly ids: readonly string[];
  readonly onClose: () => void;
  readonly onGranted: () => Promise<void>;
}

const subjects = [
  { value: 'user', label: 'A user' },
  { value: 'project', label: 'The members of a project' },
  { value: 'everyone', label: 'Everyone with an account here' },
] as const;

/** Grants access to measurements, until a day or without end. */
export function GrantDialog({ open, ids, onClose, onGranted }: GrantDialogProps) {
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={`Who may read ${ids.length === 1 ? (ids[0] ?? '') : countOf(ids.length, 'measurement')}?`}
      width="narrow"
    >
      <GrantForm ids={ids} onClose={onClose} onGranted={onGranted} />
    </Dialog>
  );
}

function GrantForm({ ids, onClose, onGranted }: Omit<GrantDialogProps, 'open'>) {
  const app = useApp();
  const { queries, actions } = app;
  const now = useNow();
  const [subject, setSubject] = useState<(typeof subjects)[number]['value']>('user');
  const [name, setName] = useState('');
  /** Why the name was refused, until it is changed. */
  const [unknown, setUnknown] = useState<ApiError | null>(null);
  const [until, setUntil] = useState('');
  const search = useDeferredValue(name);
  const users = useQuery({ ...queries.users(search), enabled: subject === 'user', placeholderData: keepPreviousData });
  const projects = useQuery({
    ...queries.projects(search),
    enabled: subject === 'project',
    placeholderData: keepPreviousData,
  });
  const suggestions =
    subject === 'user'
      ? (users.data ?? []).map((user) => ({ value: user.username, label: user.name }))
      : (projects.data ?? []).map((project) => ({ value: project.path, label: project.name }));

  async function grant(): Promise<void> {
    // The grant includes the whole day, in the local time zone.
    const end = until === '' ? {} : { until: new Date(`${until}T23:59:59.999`).toISOString() };
    const whom: NewGrant =
      subject === 'everyone'
        ? { everyone: true }
        : subject === 'user'
          ? { user: name.trim() }
          : { project: name.trim() };
    // The first grant is made before the dialog closes, so that a wrong name is shown here.
    const first = ids[0] ?? '';
    try {
      await actions.grant(first, { ...whom, ...end });
    } catch (error) {
      const isName =
        error instanceof ApiError && error.status === 404 && name.trim() !== '' && error.detail.includes(name.trim());
      if (!isName) throw error;
      setUnknown(error);
      return;
    }
    onClose();
    if (ids.length > 1) {
      await runForMany(app, {
        items: ids,
        nameOf: (id) => id,
        noun: 'measurement',
        verbs: { doing: 'Granting access to', done: 'can be read now' },
        run: async (id) => (id === first ? undefined : actions.grant(id, { ...whom, ...end })),
      });
    }
    await onGranted();
  }

  return (
    <DialogForm verb="Grant" onSubmit={grant} onCancel={onClose}>
      <RadioChoices
        legend="Grant to"
        name="subject"
        value={subject}
        choices={subjects}
        onChange={(next) => {
          setSubject(next);
          setUnknown(null);
        }}
      />
      {subject === 'everyone' ? null : (
        <TextField
          label={subject === 'user' ? 'User name' : 'Path of the project'}
          error={
            unknown === null ? null : (
              <>
                {unknown.detail}
                {unknown.requestId === null ? null : <small> Request {unknown.requestId}</small>}
              </>
            )
          }
          required
          spellCheck={false}
          maxLength={255}
          suggestions={suggestions}
          value={name}
          onChange={(text) => {
            setName(text);
            setUnknown(null);
          }}
        />
      )}
      <TextField
        label="Until"
        hint="Leave empty for no end date. Access lasts until the end of that day."
        type="date"
        min={dayAfter(0, now)}
        value={until}
        onChange={setUntil}
      />
    </DialogForm>
  );
}
