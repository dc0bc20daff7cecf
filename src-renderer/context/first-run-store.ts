import { createStore } from 'zustand/vanilla';

/** The steps of the first run after the account, in their order. */
export const firstRunSteps = ['data', 'password', 'sharing', 'begin'] as const;
export type FirstRunStep = (typeof firstRunSteps)[number];

const storageKey = 'benchport.first-run';

/**
 * The current step of the first run in this window: null before it began and after it ended. It
 * resumes at the next start.
 */
export function createFirstRunStore(storage: Storage | null) {
  const keep = (step: FirstRunStep | null): void => {
    try {
      if (step === null) storage?.removeItem(storageKey);
      else storage?.setItem(storageKey, step);
    } catch {
      // Storage may be full or forbidden: the first run then does not resume after a restart.
    }
  };
  return createStore<{ step: FirstRunStep | null; goTo: (step: FirstRunStep | null) => void }>()((set) => ({
    step: readStep(storage),
    goTo: (step) => {
      set({ step });
      keep(step);
    },
  }));
}

function readStep(storage: Storage | null): FirstRunStep | null {
  try {
    const stored = storage?.getItem(storageKey);
    return firstRunSteps.find((step) => step === stored) ?? null;
  } catch {
    return null;
  }
}
