import { useState, type ReactNode } from 'react';
import { Cancelled, toApiError } from '../../api/requests/problem.ts';
import { Field } from '../../ui/controls/field.tsx';
import { UnsavedChanges } from '../../ui/dialogs/unsaved-changes.tsx';
import type { Saving } from './answers/auto-save.ts';
import { SavedWord } from './saved.tsx';

/** The value of a text, or its error. */
export type Reading<T> = { readonly value: T } | { readonly problem: string };

export interface TextSettingProps<T> {
  readonly label: string;
  readonly hint?: ReactNode;
  /** The stored text. */
  readonly kept: string;
  readonly read: (text: string) => Reading<T>;
  /** @throws `Cancelled` when the user declined a confirmation. */
  readonly save: (value: T) => Promise<unknown>;
}

/**
 * A setting of one line, saved on blur or Enter. A refused value stays in the field, with the
 * reason below.
 */
export function TextSetting<T>({ label, hint, kept, read, save }: TextSettingProps<T>) {
  const [typed, setTyped] = useState<string | null>(null);
  const [saving, setSaving] = useState<Saving>('quiet');
  const [problem, setProblem] = useState<string | null>(null);

  async function finish(): Promise<void> {
    if (typed === null || saving === 'saving') return;
    if (typed.trim() === kept) {
      setTyped(null);
      setProblem(null);
      return;
    }
    const reading = read(typed);
    if ('problem' in reading) {
      setProblem(reading.problem);
      return;
    }
    setProblem(null);
    setSaving('saving');
    try {
      await save(reading.value);
      setTyped(null);
      setSaving('saved');
    } catch (error) {
      setSaving('quiet');
      if (error instanceof Cancelled) setTyped(null);
      else setProblem(toApiError(error).message);
    }
  }

  return (
    <>
      <UnsavedChanges changed={typed !== null && saving !== 'saving'} of={`“${label}”`} />
      <Field label={label} hint={hint} error={problem} state={<SavedWord saving={saving} />}>
        {(wiring) => (
          <input
            {...wiring}
            inputMode="decimal"
            autoComplete="off"
            value={typed ?? kept}
            onChange={(event) => {
              setTyped(event.target.value);
              setSaving('quiet');
              setProblem(null);
            }}
            onBlur={() => void finish()}
            onKeyDown={(event) => {
              if (event.key === 'Enter') void finish();
            }}
          />
        )}
      </Field>
    </>
  );
}
