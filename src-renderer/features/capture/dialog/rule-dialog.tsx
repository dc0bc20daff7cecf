import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { CaptureRule } from '../../../api/requests/types.ts';
import { useApp } from '../../../context/context.ts';
import { Dialog } from '../../../ui/dialogs/dialog.tsx';
import { UnsavedDialog } from '../../../ui/dialogs/unsaved-dialog.tsx';
import { NotLoaded } from '../../../ui/notes/not-loaded.tsx';
import { RuleForm } from './rule-form.tsx';

interface RuleDialogProps {
  /** Null for a new rule. */
  readonly rule: CaptureRule | null;
  readonly onClose: () => void;
}

/** Asks which folder is watched, and what happens with the runs in it. */
export function RuleDialog({ rule, onClose }: RuleDialogProps) {
  const { queries } = useApp();
  const choices = useQuery(queries.captureChoices());
  const [changed, setChanged] = useState(false);
  const [leaving, setLeaving] = useState(false);
  return (
    <>
      <Dialog
        open
        onClose={() => (changed ? setLeaving(true) : onClose())}
        title={rule === null ? 'Watch a folder' : `Edit ${rule.name}`}
        width="wide"
      >
        <NotLoaded of={choices} />
        {choices.data === undefined ? null : (
          <RuleForm
            rule={rule}
            choices={choices.data}
            onChanged={() => setChanged(true)}
            onCancel={() => (changed ? setLeaving(true) : onClose())}
            onSaved={onClose}
          />
        )}
      </Dialog>
      <UnsavedDialog
        open={leaving}
        of={rule === null ? 'the new rule' : rule.name}
        onLeave={() => onClose()}
        onStay={() => setLeaving(false)}
      />
    </>
  );
}
