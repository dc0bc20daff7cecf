import { useQueryClient } from '@tanstack/react-query';
import { ChevronDown, ChevronRight } from 'lucide-react';
import { useEffect, useId, useRef, useState } from 'react';
import type { CaptureChoices, CaptureRule } from '../../../api/requests/types.ts';
import { useApp, useSession, useToast } from '../../../context/context.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { DialogForm } from '../../../ui/dialogs/form.tsx';
import { FirstFields } from './first-fields.tsx';
import { MoreFields } from './more-fields.tsx';
import { draftOf, faultsOf, hasHiddenFault, inputOf, isReady, newDraft, type RuleDraft } from './rule-draft.ts';
import { Trial } from './trial.tsx';

interface RuleFormProps {
  readonly rule: CaptureRule | null;
  readonly choices: CaptureChoices;
  readonly onChanged: () => void;
  readonly onCancel: () => void;
  readonly onSaved: () => void;
}

/** The settings of a rule, and a look at what they would do. */
export function RuleForm({ rule, choices, onChanged, onCancel, onSaved }: RuleFormProps) {
  const { actions } = useApp();
  const client = useQueryClient();
  const toast = useToast();
  const id = useId();
  const username = useSession().user?.username ?? '';
  const [draft, setDraft] = useState<RuleDraft>(() => (rule === null ? newDraft(choices, username) : draftOf(rule)));
  const [wantsMore, setWantsMore] = useState(false);
  const faults = faultsOf(draft);
  const more = wantsMore || hasHiddenFault(faults);
  const change = (next: RuleDraft): void => {
    setDraft(next);
    onChanged();
  };
  const fields = { draft, faults, choices, username, onChange: change };

  // The dialog opened before its fields existed and focused its close button.
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => place.current?.querySelector('select')?.focus(), []);

  async function save(): Promise<void> {
    const input = inputOf(draft);
    await (rule === null ? actions.addCapture(input) : actions.changeCapture(rule.id, input));
    await client.invalidateQueries({ queryKey: ['captures'] });
    toast({ kind: 'plain', text: rule === null ? `${input.name} is watched` : `${input.name} was saved` });
    onSaved();
  }

  return (
    <DialogForm verb={rule === null ? 'Watch' : 'Save'} ready={isReady(draft)} onSubmit={save} onCancel={onCancel}>
      <div ref={place} className="stack">
        <FirstFields {...fields} pushServer={rule?.push_server ?? null} />
      </div>
      <div>
        <Button
          look="quiet"
          icon={more ? <ChevronDown aria-hidden /> : <ChevronRight aria-hidden />}
          aria-expanded={more}
          aria-controls={more ? id : undefined}
          disabled={more && !wantsMore}
          onClick={() => setWantsMore(!more)}
        >
          More
        </Button>
      </div>
      {more ? (
        <div id={id} className="stack">
          <MoreFields {...fields} />
        </div>
      ) : null}
      <Trial draft={draft} ruleId={rule?.id ?? null} />
    </DialogForm>
  );
}
