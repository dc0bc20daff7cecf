import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useDeferredValue } from 'react';
import { useApp } from '../../../context/context.ts';
import { Choice } from '../../../ui/controls/field.tsx';
import { templateFields } from '../../../words/capture-words.ts';
import type { RuleFieldsProps } from './rule-fields.ts';
import { RuleLines, RuleText } from './rule-text.tsx';
import { SignFields } from './sign-fields.tsx';
import { UnitFields } from './unit-fields.tsx';
import { ValueFields } from './value-fields.tsx';
import styles from './rule-form.module.css';

/** Settings that few rules change: unit of a run, sign, names, and readers. */
export function MoreFields(props: RuleFieldsProps) {
  const { draft, onChange } = props;
  return (
    <>
      <UnitFields {...props} />
      <SignFields {...props} />
      <RuleLines
        of="ignore"
        rule={props}
        label="Leave out"
        hint="One pattern a line, such as *.tmp; a slash at the end means a folder. Neither watched nor registered, in addition to the ignore list."
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

function TemplateFields(form: RuleFieldsProps) {
  const { draft, faults, onChange } = form;
  const known = templateFields(draft.layout, draft.fields)
    .map((name) => `{${name}}`)
    .join(', ');
  return (
    <fieldset className={styles['group']}>
      <legend>Names</legend>
      <div className={styles['pair']}>
        <RuleText of="id_template" rule={form} label="Id" required spellCheck={false} maxLength={300} />
        <RuleText of="title_template" rule={form} label="Title" required maxLength={300} />
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
      <RuleText
        of="project"
        rule={{ draft, onChange }}
        label="Project"
        hint="Its members may read each run. A path, or a field such as {project}."
        spellCheck={false}
        maxLength={300}
        suggestions={(projects.data ?? []).map(({ path, name }) => ({ value: path, label: name }))}
      />
      <RuleText
        of="readers"
        rule={{ draft, onChange }}
        label="Users"
        hint="User names, separated by commas; * for everyone with an account. The owner may read it anyway."
        spellCheck={false}
      />
      <RuleText
        of="notify"
        rule={{ draft, onChange }}
        label="Tell"
        hint="User names, separated by commas. They are told of each registered run, as its owner is, and of runs that need a person, as administrators are."
        spellCheck={false}
      />
    </fieldset>
  );
}
