import { useQuery } from '@tanstack/react-query';
import { useApp } from '../../../context/context.ts';
import { Choice } from '../../../ui/controls/field.tsx';
import { SelectField } from '../../../ui/controls/text-field.tsx';
import { kindWords } from '../../../words/notification-words.ts';
import type { RuleFieldsProps } from './rule-fields.ts';

/** Whose measurements and errors are meant. */
export function WhoseFields({ draft, author, onChange }: RuleFieldsProps) {
  const projects = useQuery(useApp().queries.myProjects()).data ?? [];
  const hasErrors = draft.kinds.some((kind) => kindWords[kind].group === 'errors');
  const chosen = draft.project_id;
  return (
    <>
      {hasErrors || chosen !== null ? (
        <SelectField
          label="Errors of"
          value={chosen === null ? '' : String(chosen)}
          options={[
            { value: '', label: draft.everybody ? 'All projects' : 'All projects that you are a member of' },
            ...projects.map(({ id, path }) => ({ value: String(id), label: path })),
            // The current choice is shown even if the list does not have it, or not yet.
            ...(chosen === null || projects.some(({ id }) => id === chosen)
              ? []
              : [{ value: String(chosen), label: `Project ${chosen}` }]),
          ]}
          onChange={(id) => onChange({ ...draft, project_id: id === '' ? null : Number(id) })}
        />
      ) : null}
      {author.isAdministrator || draft.everybody ? (
        <Choice
          name="everybody"
          label="Of everybody"
          meaning="Also of measurements of other users, and errors of projects that you are not a member of."
          checked={draft.everybody}
          onChange={(everybody) => onChange({ ...draft, everybody })}
        />
      ) : null}
    </>
  );
}
