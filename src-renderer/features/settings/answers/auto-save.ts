import { useRef, useState } from 'react';
import { Cancelled } from '../../../api/requests/problem.ts';

export type Saving = 'quiet' | 'saving' | 'saved';

export interface AutoSave<T> {
  /**
   * The requested value while it is being saved, otherwise the stored one, also after a failure.
   */
  readonly shown: T;
  readonly saving: Saving;
  readonly failure: unknown;
  readonly change: (next: T) => void;
}

/**
 * A setting that is saved on every change. Changes during a save wait for it, and only the last of
 * them is saved.
 */
export function useAutoSave<T>(kept: T, save: (next: T) => Promise<unknown>): AutoSave<T> {
  const [wanted, setWanted] = useState<{ readonly value: T } | null>(null);
  const [saving, setSaving] = useState<Saving>('quiet');
  const [failure, setFailure] = useState<unknown>(null);
  const waiting = useRef<{ readonly value: T } | null>(null);
  const running = useRef(false);

  async function run(): Promise<void> {
    running.current = true;
    setSaving('saving');
    setFailure(null);
    try {
      for (let next = waiting.current; next !== null; next = waiting.current) {
        waiting.current = null;
        await save(next.value);
      }
      setSaving('saved');
    } catch (error) {
      waiting.current = null;
      setSaving('quiet');
      if (!(error instanceof Cancelled)) setFailure(error);
    } finally {
      running.current = false;
      setWanted(null);
    }
  }

  function change(value: T): void {
    setWanted({ value });
    waiting.current = { value };
    if (!running.current) void run();
  }

  return { shown: wanted === null ? kept : wanted.value, saving, failure, change };
}
