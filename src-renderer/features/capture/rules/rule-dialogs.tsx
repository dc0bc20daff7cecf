import { useQueryClient } from '@tanstack/react-query';
import type { CaptureRule } from '../../../api/requests/types.ts';
import { useApp } from '../../../context/context.ts';
import { ConfirmDialog } from '../../../ui/dialogs/confirm-dialog.tsx';
import { RuleDialog } from '../dialog/rule-dialog.tsx';

export type AskedOfRule = { readonly kind: 'add' } | { readonly kind: 'edit' | 'remove'; readonly rule: CaptureRule };

interface RuleDialogsProps {
  readonly asked: AskedOfRule | null;
  readonly onClose: () => void;
  readonly onRemoved: (rule: CaptureRule) => void;
}

/** The dialogs of rules; at most one is open. */
export function RuleDialogs({ asked, onClose, onRemoved }: RuleDialogsProps) {
  const { actions } = useApp();
  const client = useQueryClient();
  if (asked === null) return null;
  if (asked.kind !== 'remove') return <RuleDialog rule={asked.kind === 'edit' ? asked.rule : null} onClose={onClose} />;
  const { rule } = asked;
  return (
    <ConfirmDialog
      open
      title={`Stop watching and remove ${rule.name}?`}
      verb="Remove"
      onConfirm={async () => {
        await actions.removeCapture(rule.id);
        onRemoved(rule);
        await client.invalidateQueries({ queryKey: ['captures'] });
      }}
      onClose={onClose}
    >
      <p>
        Measurements that it registered stay, and so do all files in the folder. Runs that are not registered yet are
        forgotten.
      </p>
    </ConfirmDialog>
  );
}
