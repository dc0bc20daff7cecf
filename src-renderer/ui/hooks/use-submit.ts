import { useState } from 'react';
import { Cancelled } from '../../api/requests/problem.ts';

export interface Submission {
  readonly busy: boolean;
  /** Why it last failed, until it is retried. */
  readonly failure: unknown;
  readonly submit: () => void;
  readonly forgetFailure: () => void;
}

/** Work that a button starts: once at a time, with its failure kept for display. */
export function useSubmit(work: () => Promise<unknown>): Submission {
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<unknown>(null);

  async function run(): Promise<void> {
    setBusy(true);
    setFailure(null);
    try {
      await work();
    } catch (error) {
      // A user who cancelled knows that nothing was done.
      if (!(error instanceof Cancelled)) setFailure(error);
    } finally {
      setBusy(false);
    }
  }

  return { busy, failure, submit: () => void run(), forgetFailure: () => setFailure(null) };
}

/** Work of several buttons, with the last failure kept for display. */
export function useAttempts() {
  const [failure, setFailure] = useState<unknown>(null);
  async function attempt(work: () => Promise<unknown>): Promise<void> {
    setFailure(null);
    try {
      await work();
    } catch (error) {
      setFailure(error);
    }
  }
  return { failure, attempt };
}
