import { ConfirmDialog } from './confirm-dialog.tsx';

interface UnsavedDialogProps {
  readonly open: boolean;
  /** Whose settings have been changed, as it stands within a sentence. */
  readonly of: string;
  readonly onLeave: () => void;
  readonly onStay: () => void;
}

/** Asks before a dialog closes whose changes have not been saved. */
export function UnsavedDialog({ open, of, onLeave, onStay }: UnsavedDialogProps) {
  return (
    <ConfirmDialog
      open={open}
      title="Close without saving?"
      verb="Close without saving"
      onConfirm={async () => onLeave()}
      onClose={onStay}
    >
      The settings of {of} have not been saved.
    </ConfirmDialog>
  );
}
