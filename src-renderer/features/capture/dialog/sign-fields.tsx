import type { CaptureSign } from '../../../api/requests/types.ts';
import { RadioChoices } from '../../../ui/controls/radio-choices.tsx';
import type { RuleFieldsProps } from './rule-fields.ts';
import { RuleLines, RuleText } from './rule-text.tsx';
import styles from './rule-form.module.css';

/** The sign that tells that a run is complete. */
export function SignFields(form: RuleFieldsProps) {
  const { draft, onChange } = form;
  return (
    <div className={styles['group']}>
      <RadioChoices<CaptureSign>
        legend="A run is complete when"
        name="sign"
        value={draft.sign}
        choices={[
          {
            value: 'marker',
            label: 'Certain files are in it',
            meaning: 'The surest sign: the instrument writes them last.',
          },
          {
            value: 'moved-in',
            label: 'It was moved here',
            meaning: 'For programs that write elsewhere on the same disk and rename what is complete.',
          },
          {
            value: 'quiet',
            label: 'Nothing changes for some time',
            meaning: 'Choose more minutes than the longest pause of the instrument.',
          },
        ]}
        onChange={(sign) => onChange({ ...draft, sign })}
      />
      {draft.sign === 'marker' ? (
        <RuleLines
          of="markers"
          rule={form}
          label="Files that must be there"
          hint="One name or pattern a line, within the run; all of them are needed."
        />
      ) : null}
      {draft.sign === 'moved-in' ? null : (
        <RuleText
          of="minutes"
          rule={form}
          label={draft.sign === 'marker' ? 'Minutes without a change after that' : 'Minutes without a change'}
          required
          inputMode="decimal"
          maxLength={8}
        />
      )}
      <RuleLines
        of="unfinished"
        rule={form}
        label="Not as long as one of these is there"
        hint="One name or pattern a line, within the run, such as *.lock. May be empty."
      />
    </div>
  );
}
