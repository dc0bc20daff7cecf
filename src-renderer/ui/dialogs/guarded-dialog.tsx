import { useState, type ReactNode } from 'react';
import { ConfirmDialog } from './confirm-dialog.tsx';
import { Dialog } from './dialog.tsx';

interface GuardedForm {
  readonly onChanged: () => void;
  readonly onCancel: () => void;
}

interface GuardedDialogProps {
  readonly title: string;
  /** Whose settings are changed, as it stands within a sentence. */
  readonly of: string;
  readonly onClose: () => void;
  readonly children: (form: GuardedForm) => ReactNode;
}

/** A wide dialog that asks before it closes if its changes have not been saved. */
export function GuardedDialog({ title, of, onClose, children }: GuardedDialogProps) {
  const [changed, setChanged] = useState(false);
  const [leaving, setLeaving] = useState(false);
  const leave = (): void => (changed ? setLeaving(true) : onClose());
  return (
    <>
      <Dialog open onClose={leave} title={title} width="wide">
        {children({ onChanged: () => setChanged(true), onCancel: leave })}
      </Dialog>
      <ConfirmDialog
        open={leaving}
        title="Close without saving?"
        verb="Close without saving"
        onConfirm={async () => onClose()}
        onClose={() => setLeaving(false)}
      >
        The settings of {of} have not been saved.
      </ConfirmDialog>
    </>
  );
}
