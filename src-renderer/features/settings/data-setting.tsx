import { PlaceFact } from './backups/place-fact.tsx';
import { useQuery } from '@tanstack/react-query';
import { FolderInput } from 'lucide-react';
import { useState } from 'react';
import type { Desktop } from '../../context/desktop.ts';
import { useApp } from '../../context/context.ts';
import { Button } from '../../ui/controls/button.tsx';
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog.tsx';
import { Moment } from '../../ui/figures/moment.tsx';
import { Note } from '../../ui/notes/note.tsx';
import facts from '../../ui/styles/facts.module.css';
import styles from './settings-screen.module.css';

/** The data directory, the last move, and moving it to another folder; in the window. */
export function DataSetting({ desktop, place }: { readonly desktop: Desktop; readonly place: string }) {
  const { queries } = useApp();
  const state = useQuery(queries.backups());
  const [to, setTo] = useState<string | null>(null);
  const { moved = null, move_failed: failed = null } = state.data ?? {};

  async function choose(): Promise<void> {
    const folder = await desktop.chooseDataFolder();
    if (folder !== null) setTo(folder);
  }

  return (
    <div className={styles['group']}>
      <h2>Data directory</h2>
      {failed === null ? null : (
        <Note kind="bad">
          <p>
            The data was not moved <Moment at={failed.at} />, and is used where it was. {failed.reason}
          </p>
        </Note>
      )}
      <dl className={facts['facts']}>
        <PlaceFact term="Folder" path={place} label="Show in folder" />
        {moved === null || moved.from === null ? null : (
          <PlaceFact term="Old folder" path={moved.from} label="Show the old folder" />
        )}
      </dl>
      {moved === null || moved.from === null ? null : (
        <p className="remark">
          The data was moved <Moment at={moved.moved_at} />. The old folder is no longer used: delete it when you no
          longer need it.
        </p>
      )}
      <div className="row middle">
        <Button icon={<FolderInput aria-hidden />} onClick={() => void choose()}>
          Move to another folder
        </Button>
      </div>
      {to === null ? null : <MoveDialog to={to} onClose={() => setTo(null)} />}
    </div>
  );
}

function MoveDialog({ to, onClose }: { readonly to: string; readonly onClose: () => void }) {
  const { actions } = useApp();
  return (
    <ConfirmDialog
      open
      title="Move the data?"
      verb="Move"
      onClose={onClose}
      onConfirm={async () => actions.moveData(to)}
    >
      <div className="stack">
        <p>
          To <code>{to}</code>, which has to be empty.
        </p>
        <p>
          Benchport stops, copies everything, compares each file, and restarts from there. Until then nothing is served,
          and running transfers end.
        </p>
        <p>The old folder stays as it is until you delete it. If anything goes wrong, Benchport keeps using it.</p>
      </div>
    </ConfirmDialog>
  );
}
