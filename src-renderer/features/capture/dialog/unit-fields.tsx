import type { CaptureUnit } from '../../../api/requests/types.ts';
import { RadioChoices } from '../../../ui/controls/radio-choices.tsx';
import { SelectField } from '../../../ui/controls/text-field.tsx';
import { unitWords } from '../../../words/capture-words.ts';
import { withLayout } from './rule-draft.ts';
import type { RuleFieldsProps } from './rule-fields.ts';
import { RuleText } from './rule-text.tsx';
import { useState } from 'react';
import styles from './rule-form.module.css';

const units: readonly CaptureUnit[] = ['folder', 'file', 'files'];
const own = 'own';

/** Which files are one run, and where runs lie below the folder. */
export function UnitFields(form: RuleFieldsProps) {
  const {
    draft,
    choices: { layouts },
    username,
    onChange,
  } = form;
  const known = layouts.some(({ layout }) => layout === draft.layout);
  const [typed, setTyped] = useState(!known);
  return (
    <div className={styles['group']}>
      <RadioChoices<CaptureUnit>
        legend="One run is"
        name="unit"
        value={draft.unit}
        choices={units.map((unit) => ({ value: unit, label: unitWords[unit] }))}
        onChange={(unit) => onChange({ ...draft, unit })}
      />
      {draft.unit === 'folder' ? null : (
        <RuleText
          of="pattern"
          rule={form}
          label="Names of the files"
          hint={
            draft.unit === 'file'
              ? 'A pattern such as *.raw.'
              : 'A pattern with {name} for the part that the files of a run share, such as {name}_*.raw.'
          }
          required
          spellCheck={false}
          maxLength={200}
        />
      )}
      <SelectField
        label="Folders below the watched one"
        value={typed || !known ? own : draft.layout}
        options={[
          ...layouts.map(({ layout }) => ({ value: layout, label: layout })),
          { value: own, label: 'Another layout' },
        ]}
        hint="The last level is the run. Each level in braces gives a field to templates."
        onChange={(value) => {
          setTyped(value === own);
          const chosen = layouts.find(({ layout }) => layout === value);
          if (chosen !== undefined) onChange(withLayout(draft, chosen, layouts, username));
        }}
      />
      {typed || !known ? (
        <RuleText
          of="layout"
          rule={form}
          label="Layout"
          hint="Levels separated by slashes, such as {user}/{project}/{name}."
          required
          spellCheck={false}
          maxLength={300}
        />
      ) : null}
    </div>
  );
}
