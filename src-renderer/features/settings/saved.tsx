import { Check } from 'lucide-react';
import { ProblemNote } from '../../ui/notes/problem-note.tsx';
import { StatusWord } from '../../ui/notes/status-word.tsx';
import type { Saving } from './answers/auto-save.ts';
import styles from './settings-screen.module.css';

/** States that a change was saved, until the next change. */
export function SavedWord({ saving }: { readonly saving: Saving }) {
  return <span role="status">{saving === 'saved' ? <StatusWord tone="ok" icon={Check} word="Saved" /> : null}</span>;
}

/**
 * The result of the last change in a group of settings that are saved at once; visible as long as
 * the group is.
 */
export function Saved({ saving, failure }: { readonly saving: Saving; readonly failure: unknown }) {
  return (
    <>
      <div className={styles['saved']}>
        <SavedWord saving={saving} />
      </div>
      <ProblemNote error={failure} />
    </>
  );
}
