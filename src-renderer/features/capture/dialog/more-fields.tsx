import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useDeferredValue } from 'react';
import { useApp } from '../../../context/context.ts';
import { Choice } from '../../../ui/controls/field.tsx';
import { TextField } from '../../../ui/controls/text-field.tsx';
import { templateFields } from '../../../words/capture-words.ts';
import { LinesField } from './lines-field.tsx';
import type { RuleFieldsProps } from './rule-fields.ts';
import { SignFields } from './sign-fields.tsx';
import { UnitFields } from './unit-fields.tsx';
import { ValueFields } from './value-fields.tsx';
import styles from './rule-form.module.css';

/** Settings that few rules change: unit of a run, sign, names, and readers. */
export function MoreFields(props: RuleFieldsProps) {
  const { draft, faults, onChange } = props;
  return (
    <>
      <UnitFields {...props} />
      <SignFields {...props} />
      <LinesField
        label="Leave out"
        error={faults.ignore}
        hint="One pattern a line, such as *.tmp; a slash at the end means a folder. Neither watched nor registered, in addition to the ignore list."
        value={draft.ignore}
        onChange={(ignore) => onChange({ ...draft, ignore })}
      />
      <TemplateFields {...props} />
      <AccessFields {...props} />
      <Choice
        name="existing"
        label="Also register runs that are there already"
        meaning="Otherwise they are listed as skipped, and each can be registered later."
        checked={draft.existing}
        onChange={(existing) => onChange({ ...draft, existing })}
      />
    </>
  );
}

function TemplateFields({ draft, faults, onChange }: RuleFieldsProps) {
  const known = templateFields(draft.layout, draft.fields)
    .map((name) => `{${name}}`)
    .join(', ');
  return (
    <fieldset className={styles['group']}>
      <legend>Names</legend>
      <div className={styles['pair']}>
        <TextField
          label="Id"
          error={faults.id_template}
          required
          spellCheck={false}
          maxLength={300}
          value={draft.id_template}
          onChange={(id_template) => onChange({ ...draft, id_template })}
        />
        <TextField
          label="Title"
          error={faults.title_template}
          required
          maxLength={300}
          value={draft.title_template}
          onChange={(title_template) => onChange({ ...draft, title_template })}
        />
      </div>
      <p className="remark">
        Text and fields: <code className={styles['known']}>{known}</code>
      </p>
      <ValueFields
        fields={draft.fields}
        error={faults.fields}
        onChange={(fields) => onChange({ ...draft, fields: [...fields] })}
      />
    </fieldset>
  );
}

function AccessFields({ draft, onChange }: RuleFieldsProps) {
  const { queries } = useApp();
  const search = useDeferredValue(draft.project);
  const projects = useQuery({
    ...queries.projects(search),
    enabled: !search.includes('{'),
    placeholderData: keepPreviousData,
  });
  return (
    <fieldset className={styles['group']}>
      <legend>Who may read each run, and who is told</legend>
      <TextField
        label="Project"
        hint="Its members may read each run. A path, or a field such as {project}."
        spellCheck={false}
        maxLength={300}
        suggestions={(projects.data ?? []).map(({ path, name }) => ({ value: path, label: name }))}
        value={draft.project}
        onChange={(project) => onChange({ ...draft, project })}
      />
      <TextField
        label="Users"
        hint="User names, separated by commas; * for everyone with an account. The owner may read it anyway."
        spellCheck={false}
        value={draft.readers}
        onChange={(readers) => onChange({ ...draft, readers })}
      />
      <TextField
        label="Tell"
        hint="User names, separated by commas. They are told of each registered run, as its owner is, and of runs that need a person, as administrators are."
        spellCheck={false}
        value={draft.notify}
        onChange={(notify) => onChange({ ...draft, notify })}
      />
    </fieldset>
  );
}
