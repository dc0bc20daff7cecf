import { useQuery } from '@tanstack/react-query';
import { Files, FolderUp } from 'lucide-react';
import { useId, useState } from 'react';
import { countOf, exactBytes, formatBytes } from '../../../src-shared/format/quantities.ts';
import { suggestedId } from '../../../src-shared/measurement-names.ts';
import { useApp, useUnits } from '../../context/context.ts';
import { Button } from '../../ui/controls/button.tsx';
import { idFault, MeasurementIdField } from '../../ui/controls/measurement-id-field.tsx';
import { SelectField, TextField } from '../../ui/controls/text-field.tsx';
import { Dialog } from '../../ui/dialogs/dialog.tsx';
import { DialogForm } from '../../ui/dialogs/form.tsx';
import { pickedOf, type Picked } from '../../api/uploads/picked-files.ts';
import { UploadRoomNote, useUploadRoom } from './upload-room.tsx';
import type { UploadNames } from '../../api/uploads/upload-api.ts';

interface UploadDialogProps {
  /** Null to ask for the files first. */
  readonly picked: Picked | null;
  /** Of an upload that goes on. */
  readonly names: UploadNames | null;
  readonly onClose: () => void;
}

/** Asks for files, and what their measurement is called, and begins to upload them. */
export function UploadDialog({ picked: dropped, names, onClose }: UploadDialogProps) {
  const { uploads } = useApp();
  const [picked, setPicked] = useState(dropped);
  const pick = (next: Picked): void => {
    if (names === null || next.files.length === 0) return setPicked(next);
    uploads.start(next, names);
    return onClose();
  };
  return (
    <Dialog open onClose={onClose} title={names === null ? 'Upload' : `Go on with ${names.id}`} width="narrow">
      {picked === null || picked.files.length === 0 ? (
        <Choose isEmpty={picked !== null} names={names} onPicked={pick} />
      ) : (
        <NamesForm key={picked.name} picked={picked} onClose={onClose} />
      )}
    </Dialog>
  );
}

function Choose({
  isEmpty,
  names,
  onPicked,
}: {
  readonly isEmpty: boolean;
  readonly names: UploadNames | null;
  readonly onPicked: (picked: Picked) => void;
}) {
  return (
    <div className="stack">
      <p>
        {isEmpty
          ? 'There are no files in it. Choose another folder.'
          : names === null
            ? 'Choose the folder of a measurement, files, or a ZIP, which is unpacked. You can also drop them on the list.'
            : 'Choose the same folder or files again: what the service has already is not sent again.'}
      </p>
      <div className="buttons">
        <FileButton label="Choose files" icon={<Files aria-hidden />} isFolder={false} onPicked={onPicked} />
        <FileButton label="Choose a folder" icon={<FolderUp aria-hidden />} isFolder onPicked={onPicked} />
      </div>
    </div>
  );
}

function FileButton({
  label,
  icon,
  isFolder,
  onPicked,
}: {
  readonly label: string;
  readonly icon: React.ReactNode;
  readonly isFolder: boolean;
  readonly onPicked: (picked: Picked) => void;
}) {
  const id = useId();
  return (
    <>
      <input
        id={id}
        type="file"
        hidden
        multiple
        aria-label={label}
        {...(isFolder ? { webkitdirectory: '' } : {})}
        onChange={(event) => event.target.files !== null && onPicked(pickedOf(event.target.files))}
      />
      <Button
        look={isFolder ? 'primary' : 'plain'}
        icon={icon}
        onClick={() => document.querySelector<HTMLInputElement>(`#${CSS.escape(id)}`)?.click()}
      >
        {label}
      </Button>
    </>
  );
}

function NamesForm({ picked, onClose }: { readonly picked: Picked; readonly onClose: () => void }) {
  const { uploads } = useApp();
  const units = useUnits();
  const isOneFile = picked.files.length === 1 && picked.files[0]?.path === picked.name;
  const name = isOneFile ? picked.name.replace(/\.[^.]*$/, '') : picked.name;
  const [id, setId] = useState(() => suggestedId(name));
  const [title, setTitle] = useState(name.normalize('NFC').slice(0, 200));
  const [project, setProject] = useState('');
  const room = useUploadRoom({ bytes: picked.bytes, id, project });
  return (
    <DialogForm
      verb="Upload"
      ready={idFault(id) === null && room.refusal === null}
      onCancel={onClose}
      onSubmit={async () => {
        const names = { id, title: title.trim() === '' ? id : title.trim() };
        uploads.start(picked, project === '' ? names : { ...names, project });
        onClose();
      }}
    >
      <p className="digits" title={exactBytes(picked.bytes)}>
        <strong>{countOf(picked.files.length, 'file')}</strong>, <strong>{formatBytes(picked.bytes, units)}</strong>
        {picked.ignored === 0 ? null : `, without ${countOf(picked.ignored, 'file')} of the operating system`}
      </p>
      <MeasurementIdField value={id} onChange={setId} />
      <TextField label="Title" maxLength={200} value={title} onChange={setTitle} />
      <ProjectField value={project} onChange={setProject} />
      <UploadRoomNote room={room} />
    </DialogForm>
  );
}

/** Projects whose members can be given the measurement; nothing while there are none. */
function ProjectField({ value, onChange }: { readonly value: string; readonly onChange: (path: string) => void }) {
  const all = useQuery(useApp().queries.myProjects()).data ?? [];
  const projects = all.filter(({ role, may_manage: manages }) => manages || (role !== null && role !== 'reporter'));
  if (projects.length === 0) return null;
  return (
    <SelectField
      label="Project"
      hint="Its members may read the measurement."
      value={value}
      options={[{ value: '', label: 'None' }, ...projects.map(({ path }) => ({ value: path, label: path }))]}
      onChange={onChange}
    />
  );
}
