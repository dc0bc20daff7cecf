import type { CaptureSign } from '../../../api/requests/types.ts';
import { RadioChoices } from '../../../ui/controls/radio-choices.tsx';
import { TextField } from '../../../ui/controls/text-field.tsx';
import { LinesField } from './lines-field.tsx';
import type { RuleFieldsProps } from './rule-fields.ts';
import styles from './rule-form.module.css';

/** The sign that tells that a run is complete. */
export function SignFields({ draft, faults, onChange }: RuleFieldsProps) {
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
        <LinesField
          label="Files that must be there"
          error={faults.markers}
          hint="One name or pattern a line, within the run; all of them are needed."
          value={draft.markers}
          onChange={(markers) => onChange({ ...draft, markers })}
        />
      ) : null}
      {draft.sign === 'moved-in' ? null : (
        <TextField
          label={draft.sign === 'marker' ? 'Minutes without a change after that' : 'Minutes without a change'}
          error={faults.minutes}
          required
          inputMode="decimal"
          maxLength={8}
          value={draft.minutes}
          onChange={(minutes) => onChange({ ...draft, minutes })}
        />
      )}
      <LinesField
        label="Not as long as one of these is there"
        error={faults.unfinished}
        hint="One name or pattern a line, within the run, such as *.lock. May be empty."
        value={draft.unfinished}
        onChange={(unfinished) => onChange({ ...draft, unfinished })}
      />
    </div>
  );
}
