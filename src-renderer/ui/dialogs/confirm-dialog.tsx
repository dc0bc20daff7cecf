import { AlertDialog } from '@base-ui/react/alert-dialog';
import { useRef, type ReactNode } from 'react';
import { Button } from '../controls/button.tsx';
import styles from './dialog.module.css';
import { plainText } from '../../../src-shared/format/shown-text.ts';
import { ProblemNote } from '../notes/problem-note.tsx';
import { SilenceNote } from '../notes/silence-note.tsx';
import { useSubmit } from '../hooks/use-submit.ts';

export interface ConfirmDialogProps {
  readonly open: boolean;
  /** May contain names from other users. */
  readonly title: string;
  /** The consequences of the action. */
  readonly children: ReactNode;
  readonly verb: string;
  readonly onConfirm: () => Promise<unknown>;
  readonly onClose: () => void;
}

/**
 * Confirms an action that cannot be undone. Cancel has the focus; a failure is shown in the dialog.
 */
export function ConfirmDialog({ open, title, children, verb, onConfirm, onClose }: ConfirmDialogProps) {
  const cancel = useRef<HTMLButtonElement>(null);
  const { busy, failure, submit, forgetFailure } = useSubmit(async () => {
    await onConfirm();
    onClose();
  });

  return (
    <AlertDialog.Root
      open={open}
      onOpenChange={(next) => {
        if (next) return;
        forgetFailure();
        onClose();
      }}
    >
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className={styles['backdrop']} />
        <AlertDialog.Popup className={`${styles['popup']} ${styles['narrow']}`} initialFocus={cancel}>
          <header className={styles['header']}>
            <AlertDialog.Title className={styles['title']}>{plainText(title)}</AlertDialog.Title>
          </header>
          <SilenceNote />
          <div className={styles['body']}>
            <AlertDialog.Description render={<div />} className={styles['description']}>
              {children}
            </AlertDialog.Description>
            <ProblemNote error={failure} />
          </div>
          <footer className={styles['footer']}>
            <AlertDialog.Close ref={cancel} render={<Button />}>
              Cancel
            </AlertDialog.Close>
            <Button look="danger" busy={busy} onClick={submit}>
              {verb}
            </Button>
          </footer>
        </AlertDialog.Popup>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}
