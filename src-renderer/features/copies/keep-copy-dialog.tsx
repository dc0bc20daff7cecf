import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useDeferredValue, useState } from 'react';
import { countOf } from '../../../src-shared/format/quantities.ts';
import type { CopiesAdded, RemoteServer } from '../../api/requests/types.ts';
import { useApp, useToast } from '../../context/context.ts';
import { SelectField, TextField } from '../../ui/controls/text-field.tsx';
import { Dialog } from '../../ui/dialogs/dialog.tsx';
import { DialogForm } from '../../ui/dialogs/form.tsx';
import { NotLoaded } from '../../ui/notes/not-loaded.tsx';

interface KeepCopyDialogProps {
  /** Ids of measurements, or `project` to ask for one whose measurements are copied. */
  readonly what: { readonly ids: readonly string[] } | 'project';
  readonly onClose: () => void;
}

/** Asks for the server on which copies of measurements are kept. */
export function KeepCopyDialog({ what, onClose }: KeepCopyDialogProps) {
  const { queries } = useApp();
  const servers = useQuery(queries.servers());
  const title =
    what === 'project'
      ? 'Keep copies of a project'
      : `Keep a copy of ${what.ids.length === 1 ? (what.ids[0] ?? '') : countOf(what.ids.length, 'measurement')}`;
  return (
    <Dialog open onClose={onClose} title={title} width="narrow">
      <NotLoaded of={servers} className="padded" />
      {servers.data === undefined ? null : servers.data.length === 0 ? (
        <p>
          There is no server to copy to. Add one under <Link to="/servers">Servers</Link>, with a token of yours there
          that has the scopes <code>read_measurement</code> and <code>write_measurement</code>.
        </p>
      ) : (
        <KeepCopyForm what={what} servers={servers.data} onClose={onClose} />
      )}
    </Dialog>
  );
}

/** Number of measurements that one request may name. */
const idsPerRequest = 1000;

function KeepCopyForm({ what, servers, onClose }: KeepCopyDialogProps & { readonly servers: readonly RemoteServer[] }) {
  const { actions } = useApp();
  const client = useQueryClient();
  const toast = useToast();
  const [server, setServer] = useState(String(servers[0]?.id ?? 0));
  const [there, setThere] = useState('');
  const [path, setPath] = useState('');
  const projects = useProjects(path, what === 'project');

  async function add(): Promise<void> {
    const common = { server_id: Number(server), ...(there.trim() === '' ? {} : { project: there.trim() }) };
    const sum = { added: 0, known: 0, left_out: 0 };
    const count = (one: CopiesAdded): void => {
      sum.added += one.added;
      sum.known += one.known;
      sum.left_out += one.left_out;
    };
    if (what === 'project') {
      const project = projects.find((one) => one.path === path.trim());
      if (project === undefined) throw new Error(`There is no project ${path.trim()}.`);
      count(await actions.addCopies({ ...common, of_project: project.id }));
    } else
      for (let at = 0; at < what.ids.length; at += idsPerRequest)
        count(await actions.addCopies({ ...common, measurement_ids: what.ids.slice(at, at + idsPerRequest) }));
    await client.invalidateQueries({ queryKey: ['copies'] });
    toast({ kind: 'plain', text: `${countOf(sum.added, 'copy', 'copies')} queued`, ...detailOf(sum) });
    onClose();
  }

  return (
    <DialogForm verb="Keep a copy" ready={what !== 'project' || path.trim() !== ''} onSubmit={add} onCancel={onClose}>
      {what === 'project' ? (
        <TextField
          label="Path of the project here"
          required
          spellCheck={false}
          maxLength={255}
          suggestions={projects.map((project) => ({ value: project.path, label: project.name }))}
          value={path}
          onChange={setPath}
        />
      ) : null}
      <SelectField
        label="On"
        value={server}
        options={servers.map(({ id, name }) => ({ value: String(id), label: name }))}
        hint="Your token there needs the scopes read_measurement and write_measurement."
        onChange={setServer}
      />
      <TextField
        label="Project there"
        hint="Its members may read the copy. Leave empty for yourself alone."
        spellCheck={false}
        maxLength={255}
        value={there}
        onChange={setThere}
      />
    </DialogForm>
  );
}

function useProjects(search: string, enabled: boolean): readonly { id: number; path: string; name: string }[] {
  const { queries } = useApp();
  const deferred = useDeferredValue(search);
  return useQuery({ ...queries.projects(deferred), enabled, placeholderData: keepPreviousData }).data ?? [];
}

function detailOf({ known, left_out: leftOut }: CopiesAdded): { readonly detail?: string } {
  const parts = [
    known === 0 ? null : `${countOf(known, 'measurement')} had a copy there already, or one on its way.`,
    leftOut === 0 ? null : `${countOf(leftOut, 'measurement')} left out: not all of the files are as registered.`,
  ].filter((part) => part !== null);
  return parts.length === 0 ? {} : { detail: parts.join(' ') };
}
