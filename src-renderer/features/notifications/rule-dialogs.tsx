import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { NotificationRule } from '../../api/requests/types.ts';
import { useApp, useToast } from '../../context/context.ts';
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog.tsx';
import { countOf } from '../../../src-shared/format/quantities.ts';
import { RuleDialog } from './dialog/rule-dialog.tsx';
import { WebhookSecret } from './dialog/webhook-secret.tsx';

export type OpenDialog =
  | { readonly kind: 'add' }
  | { readonly kind: 'edit' | 'rotate' | 'remove'; readonly rule: NotificationRule };

interface RuleDialogsProps {
  readonly dialog: OpenDialog | null;
  readonly rules: readonly NotificationRule[];
  readonly onClose: () => void;
  readonly onAdded: (id: number) => void;
  readonly onRemoved: () => void;
}

/** The dialogs of the Notifications screen; one at a time. */
export function RuleDialogs({ dialog, rules, onClose, onAdded, onRemoved }: RuleDialogsProps) {
  const { actions } = useApp();
  const client = useQueryClient();
  const toast = useToast();
  const [rotated, setRotated] = useState<{ readonly name: string; readonly secret: string } | null>(null);
  const about = (kind: 'edit' | 'rotate' | 'remove'): NotificationRule | null =>
    dialog?.kind === kind ? dialog.rule : null;
  const [rotating, removing] = [about('rotate'), about('remove')];
  const removingWaiting = removing?.waiting ?? 0;
  return (
    <>
      {dialog?.kind === 'add' || dialog?.kind === 'edit' ? (
        <RuleDialog
          rule={about('edit')}
          rules={rules}
          onClose={(added) => {
            onClose();
            if (added !== undefined) onAdded(added);
          }}
        />
      ) : null}
      <ConfirmDialog
        open={rotating !== null}
        title={`Rotate the secret of ${rotating?.name ?? ''}?`}
        verb="Rotate"
        onConfirm={async () => {
          if (rotating === null) return;
          const { secret } = await actions.rotateNotificationSecret(rotating.id);
          setRotated({ name: rotating.name, secret });
        }}
        onClose={onClose}
      >
        <p>For a day messages are signed with both secrets. Give the new one to the receiver within that time.</p>
      </ConfirmDialog>
      {rotated === null ? null : <WebhookSecret {...rotated} onSaved={() => setRotated(null)} />}
      <ConfirmDialog
        open={removing !== null}
        title={`Remove rule ${removing?.name ?? ''}?`}
        verb="Remove"
        onConfirm={async () => {
          if (removing === null) return;
          await actions.removeNotificationRule(removing.id);
          await client.invalidateQueries({ queryKey: ['notifications'] });
          toast({ kind: 'plain', text: `${removing.name} was removed` });
          onRemoved();
        }}
        onClose={onClose}
      >
        <p>
          It sends nothing more
          {removingWaiting === 0 ? '' : `, and ${countOf(removingWaiting, 'waiting message')} will not be sent`}. Its
          deliveries are no longer listed.
        </p>
      </ConfirmDialog>
    </>
  );
}
