import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { NewNotificationRule, NotificationRule } from '../../../api/requests/types.ts';
import { useApp } from '../../../context/context.ts';
import { GuardedDialog } from '../../../ui/dialogs/guarded-dialog.tsx';
import { NotLoaded } from '../../../ui/notes/not-loaded.tsx';
import { RuleForm } from './rule-form.tsx';
import { WebhookSecret } from './webhook-secret.tsx';

interface RuleDialogProps {
  /** Null for a new rule. */
  readonly rule: NotificationRule | null;
  readonly rules: readonly NotificationRule[];
  /** With the id of a rule that was added. */
  readonly onClose: (added?: number) => void;
}

/** Asks what is told, where to and when; the secret of a new webhook is shown once. */
export function RuleDialog({ rule, rules, onClose }: RuleDialogProps) {
  const choices = useQuery(useApp().queries.notificationChoices());
  const [added, setAdded] = useState<NewNotificationRule | null>(null);
  const secret = added?.secret ?? null;
  if (added !== null && secret !== null)
    return <WebhookSecret name={added.name} secret={secret} onSaved={() => onClose(added.id)} />;
  return (
    <GuardedDialog
      title={rule === null ? 'Add a rule' : `Edit ${rule.name}`}
      of={rule === null ? 'the new rule' : rule.name}
      onClose={() => onClose()}
    >
      {(form) => (
        <>
          <NotLoaded of={choices} />
          {choices.data === undefined ? null : (
            <RuleForm
              rule={rule}
              choices={choices.data}
              taken={rules.filter(({ id }) => id !== rule?.id).map(({ name }) => name)}
              {...form}
              onSaved={(next) => (next === null || next.secret === null ? onClose(next?.id) : setAdded(next))}
            />
          )}
        </>
      )}
    </GuardedDialog>
  );
}
