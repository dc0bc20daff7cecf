import { useQuery } from '@tanstack/react-query';
import { Download, Stethoscope } from 'lucide-react';
import { useState } from 'react';
import { useApp, useToast } from '../../context/context.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Dialog } from '../../ui/dialogs/dialog.tsx';
import { useAttempts } from '../../ui/hooks/use-submit.ts';
import longText from '../../ui/styles/long-text.module.css';
import { NotLoaded } from '../../ui/notes/not-loaded.tsx';
import { ProblemNote } from '../../ui/notes/problem-note.tsx';
import { saveBlob } from '../../ui/controls/save-text.ts';
import { plainText } from '../../../src-shared/format/shown-text.ts';
import styles from './diagnostics-setting.module.css';
import screen from './settings-screen.module.css';

/** More would make the page slow; the end of a log is its newest part. */
const maxShown = 60_000;

/** Diagnostics to view and to save for support; for administrators. */
export function DiagnosticsSetting() {
  const [open, setOpen] = useState(false);
  return (
    <div className={screen['group']}>
      <h2>Diagnostics</h2>
      <p>
        For someone helping with a problem: versions, counts, checks and the log in one file, without secrets and names.
        You see it first; nothing is sent.
      </p>
      <div className="row middle">
        <Button icon={<Stethoscope aria-hidden />} onClick={() => setOpen(true)}>
          Show the diagnostics
        </Button>
      </div>
      {open ? <DiagnosticsDialog onClose={() => setOpen(false)} /> : null}
    </div>
  );
}

function DiagnosticsDialog({ onClose }: { readonly onClose: () => void }) {
  const { actions, queries } = useApp();
  const toast = useToast();
  const { data, error, refetch } = useQuery(queries.diagnostics());
  const { failure, attempt } = useAttempts();

  const save = (): Promise<void> =>
    attempt(async () => {
      saveBlob('benchport-diagnostics.zip', await actions.diagnosticsZip());
      toast({ kind: 'plain', text: 'Diagnostics saved' });
    });

  return (
    <Dialog
      open
      onClose={onClose}
      title="Show the diagnostics"
      description="Everything that the file contains. Open a part to read it."
      width="wide"
      footer={
        <>
          <Button onClick={onClose}>Close</Button>
          <Button
            look="primary"
            icon={<Download aria-hidden />}
            disabled={data === undefined}
            onClick={() => void save()}
          >
            Save as ZIP
          </Button>
        </>
      }
    >
      <NotLoaded of={{ data, error, refetch }} alsoStale />
      <ProblemNote error={failure} />
      {data?.map(({ name, about, text }) => (
        <details key={name} className={styles['part']}>
          <summary>
            <code>{name}</code> {about}
          </summary>
          {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- A scrolling region must be reachable by keyboard. */}
          <pre className={longText['text']} tabIndex={0} role="group" aria-label={name}>
            {plainText(text.slice(-maxShown))}
          </pre>
        </details>
      ))}
    </Dialog>
  );
}
