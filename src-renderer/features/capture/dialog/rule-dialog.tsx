import { useQuery } from '@tanstack/react-query';
import type { CaptureRule } from '../../../api/requests/types.ts';
import { useApp } from '../../../context/context.ts';
import { GuardedDialog } from '../../../ui/dialogs/guarded-dialog.tsx';
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
  return (
    <GuardedDialog
      title={rule === null ? 'Watch a folder' : `Edit ${rule.name}`}
      of={rule === null ? 'the new rule' : rule.name}
      onClose={onClose}
    >
      {(form) => (
        <>
          <NotLoaded of={choices} />
          {choices.data === undefined ? null : (
            <RuleForm rule={rule} choices={choices.data} {...form} onSaved={onClose} />
          )}
        </>
      )}
    </GuardedDialog>
  );
}
