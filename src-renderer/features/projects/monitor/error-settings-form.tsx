import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ErrorTrackingSettings, Project } from '../../../api/requests/types.ts';
import { useApp, useToast, useUnits } from '../../../context/context.ts';
import { Choice } from '../../../ui/controls/field.tsx';
import { Form } from '../../../ui/dialogs/form.tsx';
import { formatBytes, formatCount } from '../../../../src-shared/format/quantities.ts';
import { RadioChoices } from '../../../ui/controls/radio-choices.tsx';
import styles from './error-settings-form.module.css';
import { readSize, sizeProblem, sizeText, sizeUnit } from './event-size.ts';
import { ExternalFields } from './external-fields.tsx';
import { changeOf, draftOf, problemOfNumber, whatIsMissing, type SettingsDraft } from './settings-draft.ts';
import { TextField } from '../../../ui/controls/text-field.tsx';

/** Maximum retention in days, as the API limits it. */
const maxDays = 90;
const maxEvents = 100_000_000;
/** Default maximum of stored events. */
const defaultEvents = 1_000_000;
const defaultMaxBytes = 4 * 1024 ** 3;

const backends = [
  { value: true, label: 'Integrated', meaning: 'Benchport stores the errors. Programs send them here.' },
  {
    value: false,
    label: 'External',
    meaning: 'Your own Sentry-compatible server stores them, and they are listed here.',
  },
] as const;

/**
 * Whether errors are tracked, where they are stored, and for how long. Null settings belong to a
 * project that never had any.
 */
export function ErrorSettingsForm({
  project,
  settings,
}: {
  readonly project: Project;
  readonly settings: ErrorTrackingSettings | null;
}) {
  const { actions, queries } = useApp();
  const client = useQueryClient();
  const toast = useToast();
  const units = useUnits();
  const [draft, setDraft] = useState<SettingsDraft>(() => draftOf(settings, units));
  const set = (change: Partial<SettingsDraft>): void => setDraft((before) => ({ ...before, ...change }));
  const missing = whatIsMissing(draft, settings);
  const badDays = problemOfNumber(draft.days, maxDays);
  const badEvents = problemOfNumber(draft.events, maxEvents);
  const badSize =
    draft.size !== sizeText(settings?.max_bytes ?? null, draft.units) &&
    readSize(draft.size, draft.units) === undefined;
  const changed = JSON.stringify(draft) !== JSON.stringify(draftOf(settings, draft.units));

  async function save(): Promise<void> {
    const next = await actions.putErrorSettings(project.path, changeOf(draft, settings));
    toast({
      kind: 'plain',
      text: 'Error tracking settings saved',
      detail: next.active ? (next.integrated ? 'integrated' : (next.api_url ?? '')) : 'off',
    });
    client.setQueryData(queries.errorSettings(project.path).queryKey, next);
    await Promise.all([
      client.invalidateQueries({ queryKey: ['projects'] }),
      client.invalidateQueries({ queryKey: queries.clientKeys(project).queryKey }),
    ]);
  }

  return (
    <Form
      verb="Save"
      ready={changed && missing === null && badDays === null && badEvents === null && !badSize}
      onSubmit={save}
      beside={changed && missing !== null ? <span className={styles['connect']}>{missing}</span> : null}
    >
      <Choice
        name="active"
        label="Active"
        meaning="Errors of the project's programs are collected, and its members can see them."
        checked={draft.active}
        onChange={(active) => set({ active })}
      />
      <RadioChoices
        legend="Backend"
        name="backend"
        value={draft.integrated}
        choices={backends}
        onChange={(integrated) => set({ integrated })}
      />
      {draft.integrated ? (
        <Limits
          draft={draft}
          storedBytes={settings?.stored_bytes ?? 0}
          badDays={badDays}
          badEvents={badEvents}
          badSize={badSize}
          onChange={set}
        />
      ) : (
        <ExternalFields project={project} settings={settings} draft={draft} onChange={set} />
      )}
    </Form>
  );
}

interface LimitsProps {
  readonly draft: SettingsDraft;
  readonly storedBytes: number;
  readonly badDays: string | null;
  readonly badEvents: string | null;
  readonly badSize: boolean;
  readonly onChange: (change: Partial<SettingsDraft>) => void;
}

/** Retention of events by age, number and size. */
function Limits({ draft, storedBytes, badDays, badEvents, badSize, onChange }: LimitsProps) {
  return (
    <div className={styles['numbers']}>
      <TextField
        label="Keep events for, in days"
        error={badDays}
        hint={`Empty: ${maxDays}, which is also the maximum. Counts and first seen are kept for ${maxDays} days after the error was last seen.`}
        inputMode="numeric"
        maxLength={9}
        placeholder={String(maxDays)}
        value={draft.days}
        onChange={(text) => onChange({ days: text.trim() })}
      />
      <TextField
        label="Keep at most, in events"
        error={badEvents}
        hint={`Empty: ${formatCount(defaultEvents)}. Above it the oldest events of the most frequent errors are removed.`}
        inputMode="numeric"
        maxLength={9}
        placeholder={String(defaultEvents)}
        value={draft.events}
        onChange={(text) => onChange({ events: text.trim() })}
      />
      <TextField
        label={`Keep at most, in ${sizeUnit(draft.units)}`}
        error={badSize ? sizeProblem(draft.units) : null}
        hint={`Empty: ${formatBytes(defaultMaxBytes, draft.units)}. Above it the oldest events of the errors that take the most space are removed. Events take ${formatBytes(storedBytes, draft.units)} now.`}
        inputMode="decimal"
        maxLength={9}
        placeholder={sizeText(defaultMaxBytes, draft.units)}
        value={draft.size}
        onChange={(text) => onChange({ size: text.trim() })}
      />
    </div>
  );
}
