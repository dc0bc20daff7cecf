import type { Question } from './quit-rules.ts';

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

const goesOn = 'What is being fetched, shared or registered is not in the window and goes on.';

/** Asked instead of loading the page once more. What the last button does is what Esc does, and ends nothing. */
export const crashQuestion: Question = {
  message: 'The window has failed several times in a row',
  detail: `${goesOn} Quitting loses nothing that is on the disk.`,
  buttons: ['Quit', 'Show the window again'],
};

/** Asked when the page has not taken any input for a while. */
export const hungQuestion: Question = {
  message: 'The window does not answer',
  detail: `${goesOn} Loading the window again loses only what was typed into it and not saved.`,
  buttons: ['Load it again', 'Wait'],
};
