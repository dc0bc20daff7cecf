import { useNow } from '../../../ui/hooks/use-now.ts';
import { Choice } from '../../../ui/controls/field.tsx';
import { SelectField } from '../../../ui/controls/text-field.tsx';
import { clockWords, digestWords } from '../../../words/notification-words.ts';
import type { RuleDraft } from './rule-draft.ts';
import type { RuleFieldsProps } from './rule-fields.ts';
import styles from './rule-form.module.css';

const hours = Array.from({ length: 24 }, (_, hour) => ({ value: String(hour), label: `${hour}:00` }));
const digests = Object.entries(digestWords).map(([value, label]) => ({ value, label }));

/** How often messages are sent, and the hours without any. */
export function WhenFields({ draft, faults, choices, onChange }: RuleFieldsProps) {
  const clock = clockWords(choices, useNow());
  return (
    <>
      <SelectField
        label="How often"
        value={draft.digest}
        options={digests}
        hint={draft.digest === 'none' ? 'Many at once are told in one message.' : `In one message. ${clock}`}
        onChange={(digest) => onChange({ ...draft, digest: digest as RuleDraft['digest'] })}
      />
      <Choice
        name="quiet"
        label="Not during quiet hours"
        meaning="What happens then is told afterwards."
        checked={draft.isQuiet}
        onChange={(isQuiet) => onChange({ ...draft, isQuiet })}
      />
      {draft.isQuiet ? (
        <div className={styles['pair']}>
          <SelectField
            label="Quiet from"
            value={String(draft.quietFrom)}
            options={hours}
            hint={clock}
            onChange={(hour) => onChange({ ...draft, quietFrom: Number(hour) })}
          />
          <SelectField
            label="Quiet until"
            value={String(draft.quietUntil)}
            options={hours}
            error={faults.quiet}
            onChange={(hour) => onChange({ ...draft, quietUntil: Number(hour) })}
          />
        </div>
      ) : null}
    </>
  );
}
