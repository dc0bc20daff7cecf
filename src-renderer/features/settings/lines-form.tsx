import { useState, type ReactNode } from 'react';
import { countOf } from '../../../src-shared/format/quantities.ts';
import { useToast } from '../../context/context.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Field } from '../../ui/controls/field.tsx';
import { Form } from '../../ui/dialogs/form.tsx';
import { UnsavedChanges } from '../../ui/dialogs/unsaved-changes.tsx';

export interface LinesFormProps {
  readonly label: string;
  readonly hint: string;
  /** The name of the list within a sentence, such as `the ignore list`. */
  readonly name: string;
  /** The stored entries. */
  readonly stored: readonly string[];
  /** Entries that a button restores; undefined where there is no default list. */
  readonly defaults?: readonly string[];
  readonly rows: number;
  readonly read: (text: string) => readonly string[];
  /** The first error of entries, or null. */
  readonly check: (entries: readonly string[]) => string | null;
  /** Stores the entries. @returns those that are stored then */
  readonly save: (entries: readonly string[]) => Promise<readonly string[]>;
  /** Singular and plural of an entry. */
  readonly counted: readonly [string, string];
  /** Told once the list is saved. */
  readonly saved: string;
}

const textOf = (entries: readonly string[]): string => entries.join('\n');

/**
 * A list with an entry a line. It is saved by a button, unlike other settings, because half an
 * entry would count as another one.
 */
export function LinesForm(props: LinesFormProps) {
  const { label, hint, name, stored, defaults, rows, read, check, save, counted, saved } = props;
  const toast = useToast();
  const [text, setText] = useState(textOf(stored));
  const entries = read(text);
  const wrong = check(entries);
  const changed = textOf(entries) !== textOf(stored);

  async function submit(): Promise<void> {
    const next = await save(entries);
    toast({ kind: 'plain', text: saved, detail: countOf(next.length, ...counted) });
  }
  const reset = (to: readonly string[], isSame: boolean, look: 'plain' | 'quiet', words: string): ReactNode => (
    <Button look={look} disabled={isSame} onClick={() => setText(textOf(to))}>
      {words}
    </Button>
  );

  return (
    <Form
      verb="Save"
      ready={changed && wrong === null}
      onSubmit={submit}
      beside={
        <>
          {defaults === undefined
            ? null
            : reset(defaults, textOf(entries) === textOf(defaults), 'plain', 'Restore the default list')}
          {reset(stored, !changed, 'quiet', 'Discard changes')}
        </>
      }
    >
      <UnsavedChanges changed={changed} of={name} />
      <Field
        label={label}
        error={wrong}
        state={changed ? <span className="remark">Not saved yet</span> : null}
        hint={hint}
      >
        {(wiring) => (
          <textarea
            {...wiring}
            rows={rows}
            spellCheck={false}
            autoComplete="off"
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        )}
      </Field>
    </Form>
  );
}
