import type { Question } from '../quitting/quit-rules.ts';

/** What is done about a page whose process has ended. */
export type AfterPageCrash = 'load-again' | 'ask';

/** A page that ends as often as this within this time does so again: loading it would go on for ever. */
const tooOften = { crashes: 3, within: 60_000 };

/** Counts the ends of a page's process. @param now in milliseconds. */
export function countPageCrashes(now: () => number): () => AfterPageCrash {
  let crashes: number[] = [];
  return () => {
    crashes = [...crashes.filter((at) => now() - at < tooOften.within), now()];
    if (crashes.length < tooOften.crashes) return 'load-again';
    // Whoever answers begins anew.
    crashes = [];
    return 'ask';
  };
}

const goesOn = 'Fetches, sharing and registrations run outside the window and continue.';

/** Asked instead of loading the page once more. What the last button does is what Esc does, and ends nothing. */
export const crashQuestion: Question = {
  message: 'The window has failed several times in a row',
  detail: `${goesOn} Quitting loses nothing that has been saved.`,
  buttons: ['Quit', 'Reopen the window'],
};

/** Asked when the page has not taken any input for a while. */
export const hungQuestion: Question = {
  message: 'The window is not responding',
  detail: `${goesOn} Reloading the window loses only what was typed and not saved.`,
  buttons: ['Reload', 'Wait'],
};
