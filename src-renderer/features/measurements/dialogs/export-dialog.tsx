import { useState } from 'react';
import type { ExportFormat } from '../../../api/requests/types.ts';
import { useApp } from '../../../context/context.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Dialog } from '../../../ui/dialogs/dialog.tsx';
import { countOf } from '../../../../src-shared/format/quantities.ts';
import { ProblemNote } from '../../../ui/notes/problem-note.tsx';
import { useSubmit } from '../../../ui/hooks/use-submit.ts';
import { RadioChoices } from '../../../ui/controls/radio-choices.tsx';

const formats: readonly { readonly value: ExportFormat; readonly label: string; readonly meaning: string }[] = [
  { value: 'folder', label: 'Folder', meaning: 'The files as they are, each checked while it is copied' },
  { value: 'zip', label: 'ZIP', meaning: 'One archive, the same bytes that a download gives' },
  { value: 'bagit', label: 'BagIt', meaning: 'A bag with checksums, for archives and repositories' },
  { value: 'ro-crate', label: 'RO-Crate', meaning: 'A folder with a description that other research tools read' },
];

/** Writes measurements into a folder of this machine. */
export function ExportDialog({ ids, onClose }: { readonly ids: readonly string[]; readonly onClose: () => void }) {
  const { actions, desktop, live } = useApp();
  const [format, setFormat] = useState<ExportFormat>('folder');
  const { busy, failure, submit } = useSubmit(async () => {
    const directory = (await desktop?.chooseExportFolder()) ?? null;
    if (directory === null) return;
    for (const id of ids) live.getState().putJob(await actions.exportTo(id, directory, format));
    onClose();
  });

  return (
    <Dialog
      open
      onClose={onClose}
      width="narrow"
      title={ids.length === 1 ? `Export ${ids[0] ?? ''}` : `Export ${countOf(ids.length, 'measurement')}`}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" busy={busy} onClick={submit}>
            Choose folder and export
          </Button>
        </>
      }
    >
      <RadioChoices legend="As" name="format" value={format} choices={formats} onChange={setFormat} />
      <ProblemNote error={failure} />
    </Dialog>
  );
}
