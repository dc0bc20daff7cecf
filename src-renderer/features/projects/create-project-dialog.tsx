import { useState } from 'react';
import { toApiError } from '../../api/requests/problem.ts';
import type { Project } from '../../api/requests/types.ts';
import { useApp, useToast } from '../../context/context.ts';
import { Dialog } from '../../ui/dialogs/dialog.tsx';
import { Choice } from '../../ui/controls/field.tsx';
import { DialogForm } from '../../ui/dialogs/form.tsx';
import { problemOfProjectPath } from '../../../src-shared/project-path.ts';
import { TextField } from '../../ui/controls/text-field.tsx';

export interface CreateProjectDialogProps {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly onCreated: (project: Project) => void;
}

/** Creates a project. Its creator is its first owner. */
export function CreateProjectDialog({ open, onClose, onCreated }: CreateProjectDialogProps) {
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title="Create a project"
      description="You become its first owner, and can then add members."
      width="narrow"
    >
      <CreateForm onClose={onClose} onCreated={onCreated} />
    </Dialog>
  );
}

function CreateForm({ onClose, onCreated }: Omit<CreateProjectDialogProps, 'open'>) {
  const { actions } = useApp();
  const toast = useToast();
  const [path, setPath] = useState('');
  const [name, setName] = useState('');
  const [tracks, setTracks] = useState(true);
  const wrong = path === '' ? null : problemOfProjectPath(path);

  async function create(): Promise<void> {
    const project = await actions.createProject({ path, ...(name.trim() === '' ? {} : { name: name.trim() }) });
    if (tracks) {
      await actions.putErrorSettings(project.path, { active: true, integrated: true }).catch((error: unknown) => {
        // The project was created, and its settings have the switch.
        toast({ kind: 'bad', text: 'Error tracking could not be switched on', detail: toApiError(error).detail });
      });
    }
    onClose();
    onCreated(project);
  }

  return (
    <DialogForm verb="Create" ready={path !== '' && wrong === null} onSubmit={create} onCancel={onClose}>
      <TextField
        label="Path"
        error={wrong}
        hint="Part of every address of the project, such as lab/spectrometer. It cannot be changed later."
        required
        spellCheck={false}
        maxLength={300}
        value={path}
        onChange={(text) => setPath(text.trim())}
      />
      <TextField
        label="Name (optional)"
        maxLength={255}
        placeholder={path.split('/').at(-1)}
        value={name}
        onChange={setName}
      />
      <Choice
        name="tracks"
        label="Keep errors of its programs here"
        meaning="The next screen has the DSN that programs need. Leave this off if an external backend keeps the errors."
        checked={tracks}
        onChange={setTracks}
      />
    </DialogForm>
  );
}
