import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useDeferredValue } from 'react';
import { useApp } from '../../../context/context.ts';
import { RadioChoices } from '../../../ui/controls/radio-choices.tsx';
import { SelectField } from '../../../ui/controls/text-field.tsx';
import { FolderField } from '../../settings/folder-field.tsx';
import { presetOf, withFolder, withPreset, type RuleDraft } from './rule-draft.ts';
import type { RuleFieldsProps } from './rule-fields.ts';
import { RuleText } from './rule-text.tsx';
import styles from './rule-form.module.css';

/** The value of the choice of no preset. */
const own = 'own';

interface FirstFieldsProps extends RuleFieldsProps {
  /** Name of the server that the rule has now. */
  readonly pushServer: string | null;
}

/** Settings that every rule needs: instrument, folder, and where the runs go. */
export function FirstFields({ pushServer, ...form }: FirstFieldsProps) {
  const { draft, choices, onChange } = form;
  const { desktop } = useApp();
  const { presets } = choices;
  const preset = presetOf(draft, presets);

  async function chooseFolder(): Promise<void> {
    const folder = (await desktop?.chooseDataFolder()) ?? null;
    if (folder !== null) onChange(withFolder(draft, folder));
  }

  return (
    <>
      <SelectField
        label="Instrument"
        value={preset?.preset ?? own}
        options={[
          ...presets.map((one) => ({ value: one.preset, label: one.name })),
          ...(preset === undefined ? [{ value: own, label: 'Own settings' }] : []),
        ]}
        hint={preset?.explanation ?? 'The signs below were set by hand. Choose an instrument to set them anew.'}
        onChange={(value) => {
          const chosen = presets.find((one) => one.preset === value);
          if (chosen !== undefined) onChange(withPreset(draft, chosen));
        }}
      />
      <FolderField
        label="Folder"
        hint="The one that the instrument writes its runs into. It may be on a network share."
        folder={draft.folder}
        onChoose={chooseFolder}
      />
      <div className={styles['pair']}>
        <RuleText
          of="name"
          rule={form}
          label="Name"
          hint="By which lists and commands know the rule."
          required
          spellCheck={false}
          maxLength={63}
        />
        <OwnerField draft={draft} onChange={onChange} />
      </div>
      <RadioChoices
        legend="Files"
        name="copy"
        value={draft.copy}
        choices={[
          {
            value: false,
            label: 'Leave them where they are',
            meaning: 'Benchport serves them from there. If a file is changed later, Benchport notices and asks.',
          },
          {
            value: true,
            label: 'Copy them into the library',
            meaning: 'Needs as much space again; the folder may be cleared afterwards.',
          },
        ]}
        onChange={(copy) => onChange({ ...draft, copy })}
      />
      <PushFields draft={draft} onChange={onChange} pushServer={pushServer} />
    </>
  );
}

type DraftProps = Pick<RuleFieldsProps, 'draft' | 'onChange'>;

function OwnerField({ draft, onChange }: DraftProps) {
  const { queries } = useApp();
  const search = useDeferredValue(draft.owner);
  const users = useQuery({
    ...queries.users(search),
    enabled: !search.includes('{'),
    placeholderData: keepPreviousData,
  });
  return (
    <RuleText
      of="owner"
      rule={{ draft, onChange }}
      label="Owner"
      hint="A user name, or a field such as {user}."
      required
      spellCheck={false}
      maxLength={300}
      suggestions={(users.data ?? []).map(({ username, name }) => ({ value: username, label: name }))}
    />
  );
}

function PushFields({ draft, onChange, pushServer }: DraftProps & Pick<FirstFieldsProps, 'pushServer'>) {
  const servers = useQuery(useApp().queries.servers()).data ?? [];
  return (
    <>
      <SelectField
        label="Keep a verified copy on"
        value={valueOf(draft)}
        options={[
          { value: '', label: 'No server' },
          ...servers.map(({ id, name }) => ({ value: String(id), label: name })),
          // The current choice is shown even if the list does not have it, or not yet.
          ...(draft.push_to === null || servers.some(({ id }) => id === draft.push_to)
            ? []
            : [{ value: valueOf(draft), label: pushServer ?? 'A server that was removed' }]),
        ]}
        hint={
          servers.length === 0
            ? 'Add a server under Servers first, if runs should be copied to one.'
            : 'Each run is sent once it is registered. Your token there needs the scopes read_measurement and write_measurement.'
        }
        onChange={(value) => onChange({ ...draft, push_to: value === '' ? null : Number(value) })}
      />
      {draft.push_to === null ? null : (
        <RuleText
          of="push_project"
          rule={{ draft, onChange }}
          label="Project there"
          hint="Its members may read the copy. A path, or a field such as {project}. Leave empty for yourself alone."
          spellCheck={false}
          maxLength={300}
        />
      )}
    </>
  );
}

function valueOf({ push_to: server }: RuleDraft): string {
  return server === null ? '' : String(server);
}
