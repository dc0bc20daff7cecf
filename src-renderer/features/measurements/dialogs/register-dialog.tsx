import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Job } from '../../../api/requests/types.ts';
import { useApp } from '../../../context/context.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Dialog } from '../../../ui/dialogs/dialog.tsx';
import { ProblemNote } from '../../../ui/notes/problem-note.tsx';
import { ProgressBar } from '../../../ui/notes/progress-bar.tsx';
import styles from './register-dialog.module.css';
import { RegisterForm } from './register-form.tsx';

export interface RegisterDialogProps {
  readonly paths: readonly string[];
  readonly onClose: () => void;
  readonly onRegistered: (job: Job) => void;
}

/** Inspects each dropped or chosen path in turn and registers it. */
export function RegisterDialog({ paths, onClose, onRegistered }: RegisterDialogProps) {
  const { actions } = useApp();
  const [position, setPosition] = useState(0);
  const [leaveOutOfAll, setLeaveOutOfAll] = useState(false);
  const path = paths[position] ?? '';
  const inspection = useQuery({
    queryKey: ['inspection', path],
    queryFn: ({ signal }) => actions.inspect(path, signal),
    gcTime: 0,
    staleTime: Infinity,
    retry: false,
  });
  const next = (): void => (position + 1 < paths.length ? setPosition(position + 1) : onClose());
  const several = paths.length > 1 ? ` ${position + 1} of ${paths.length}` : '';

  return (
    <Dialog open onClose={onClose} title={`Register${several}`}>
      <p className={styles['path']}>{path}</p>
      {inspection.isPending ? (
        <>
          <ProgressBar fraction={null} label="Looking at the files" />
          <p className="muted">Looking at the files</p>
        </>
      ) : null}
      <ProblemNote
        error={inspection.error}
        action={<Button onClick={() => void inspection.refetch()}>Look again</Button>}
      />
      {inspection.data === undefined ? (
        <div className="buttons">
          <Button onClick={onClose}>Cancel</Button>
          {several === '' ? null : <Button onClick={next}>Skip</Button>}
        </div>
      ) : (
        <RegisterForm
          key={path}
          inspection={inspection.data}
          onCancel={onClose}
          onSkip={several === '' ? null : next}
          leaveOutOfAll={leaveOutOfAll}
          onLeaveOutOfAll={position + 1 < paths.length ? () => setLeaveOutOfAll(true) : null}
          onLookAgain={() => void inspection.refetch()}
          onRegistered={(job) => {
            onRegistered(job);
            next();
          }}
        />
      )}
    </Dialog>
  );
}
