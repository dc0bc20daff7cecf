import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { NewNotificationRule, NotificationChoices, NotificationRule } from '../../../api/requests/types.ts';
import { useApp, useSession, useToast } from '../../../context/context.ts';
import { TextField } from '../../../ui/controls/text-field.tsx';
import { DialogForm } from '../../../ui/dialogs/form.tsx';
import { Note } from '../../../ui/notes/note.tsx';
import { KindChoices } from './kind-choices.tsx';
import { draftOf, faultsOf, inputOf, isReady, newDraft, type RuleDraft } from './rule-draft.ts';
import { TargetFields } from './target-fields.tsx';
import { WhenFields } from './when-fields.tsx';
import { WhoseFields } from './whose-fields.tsx';

interface RuleFormProps {
  /** Null for a new rule. */
  readonly rule: NotificationRule | null;
  readonly choices: NotificationChoices;
  /** Names of the user's other rules. */
  readonly taken: readonly string[];
  readonly onChanged: () => void;
  readonly onCancel: () => void;
  /** With the new rule, or null when an existing one was saved. */
  readonly onSaved: (added: NewNotificationRule | null) => void;
}

/** The settings of a rule. */
export function RuleForm({ rule, choices, taken, onChanged, onCancel, onSaved }: RuleFormProps) {
  const { actions } = useApp();
  const client = useQueryClient();
  const toast = useToast();
  const user = useSession().user;
  const author = { isAdministrator: user?.is_admin === true, email: user?.email ?? null };
  const [draft, setDraft] = useState<RuleDraft>(() => (rule === null ? newDraft(author, choices.mail) : draftOf(rule)));
  const faults = faultsOf(draft, taken);
  const change = (next: RuleDraft): void => {
    setDraft(next);
    onChanged();
  };
  const isFull = rule === null && taken.length >= choices.max_rules;
  const fields = { draft, faults, author, choices, isNew: rule === null, onChange: change };

  // The dialog opened before its fields existed and focused its close button.
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => place.current?.querySelector('input')?.focus(), []);

  async function save(): Promise<void> {
    const input = inputOf(draft);
    const added = rule === null ? await actions.addNotificationRule(input) : null;
    if (rule !== null) await actions.changeNotificationRule(rule.id, input);
    await client.invalidateQueries({ queryKey: ['notifications'] });
    toast({ kind: 'plain', text: rule === null ? `${input.name} was added` : `${input.name} was saved` });
    onSaved(added);
  }

  return (
    <DialogForm
      verb={rule === null ? 'Add' : 'Save'}
      ready={isReady(draft, faults) && !isFull}
      onSubmit={save}
      onCancel={onCancel}
    >
      {isFull ? (
        <Note kind="warn">
          <p>You have {choices.max_rules} rules, and there can be no more. Change or remove one of them first.</p>
        </Note>
      ) : null}
      <div ref={place}>
        <TextField
          label="Name"
          error={faults.name}
          hint="Messages name the rule that sends them."
          required
          spellCheck={false}
          maxLength={63}
          value={draft.name}
          onChange={(name) => change({ ...draft, name })}
        />
      </div>
      <KindChoices {...fields} />
      <WhoseFields {...fields} />
      <TargetFields {...fields} />
      <WhenFields {...fields} />
    </DialogForm>
  );
}
