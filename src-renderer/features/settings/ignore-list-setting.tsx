import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { IgnoreListState } from '../../api/requests/types.ts';
import { useApp, useToast } from '../../context/context.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Field } from '../../ui/controls/field.tsx';
import { Form } from '../../ui/dialogs/form.tsx';
import { countOf } from '../../../src-shared/format/quantities.ts';
import { UnsavedChanges } from '../../ui/dialogs/unsaved-changes.tsx';
import { patternsOf, problemOfPatterns } from './patterns.ts';
import styles from './settings-screen.module.css';
import { SettingGroup } from './answers/setting-group.tsx';

/** Names that a registration leaves out. */
export function IgnoreListSetting() {
  const { queries } = useApp();
  const list = useQuery(queries.ignoreList());
  return (
    <SettingGroup heading="Ignore list" of={list} className={styles['titled']}>
      {(data) => <IgnoreListForm key={data.patterns.join('\n')} state={data} />}
    </SettingGroup>
  );
}

/**
 * Saved by a button, unlike the other settings: a half-written list would leave files out of a
 * registration.
 */
function IgnoreListForm({ state }: { readonly state: IgnoreListState }) {
  const { actions, queries } = useApp();
  const client = useQueryClient();
  const toast = useToast();
  const [text, setText] = useState(state.patterns.join('\n'));
  const patterns = patternsOf(text);
  const wrong = problemOfPatterns(patterns);
  const changed = patterns.join('\n') !== state.patterns.join('\n');
  const usual = state.usual.join('\n');

  async function save(): Promise<void> {
    const next = await actions.setIgnoreList(patterns);
    toast({ kind: 'plain', text: 'Ignore list saved', detail: countOf(next.patterns.length, 'pattern') });
    client.setQueryData(queries.ignoreList().queryKey, next);
  }

  return (
    <Form
      verb="Save"
      ready={changed && wrong === null}
      onSubmit={save}
      beside={
        <>
          <Button disabled={patterns.join('\n') === usual} onClick={() => setText(usual)}>
            Restore the default list
          </Button>
          <Button look="quiet" disabled={!changed} onClick={() => setText(state.patterns.join('\n'))}>
            Discard changes
          </Button>
        </>
      }
    >
      <UnsavedChanges changed={changed} of="the ignore list" />
      <Field
        label="Ignore list"
        error={wrong}
        state={changed ? <span className="remark">Not saved yet</span> : null}
        hint="Takes effect when it is saved. One pattern per line, case-insensitive: * matches anything, ? one character, a slash at the end a folder. Matching names are left out of new measurements; existing ones keep their files."
      >
        {(wiring) => (
          <textarea
            {...wiring}
            rows={8}
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
