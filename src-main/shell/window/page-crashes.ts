import type { Question } from '../quitting/quit-rules.ts';

/** The reaction to the end of the page's process. */
export type AfterPageCrash = 'load-again' | 'ask';

/**
 * A page that crashes this often within this time (ms) is expected to crash again: reloading would
 * loop.
 */
const crashLimit = { crashes: 3, withinMs: 60_000 };

/**
 * Counts crashes of the page's process.
 * @param now in milliseconds.
 */
export function countPageCrashes(now: () => number): () => AfterPageCrash {
  let crashes: number[] = [];
  return () => {
    crashes = [...crashes.filter((at) => now() - at < crashLimit.withinMs), now()];
    if (crashes.length < crashLimit.crashes) return 'load-again';
    // The count restarts after the user has answered.
    crashes = [];
    return 'ask';
  };
}

const unaffected = 'Fetches, sharing and registrations run outside the window and continue.';

/** Asked instead of another reload. The last button, also chosen by Esc, ends nothing. */
export const crashQuestion: Question = {
  message: 'The window has failed several times in a row',
  detail: `${unaffected} Quitting loses nothing that has been saved.`,
  buttons: ['Quit', 'Reopen the window'],
};

/** Asked when the page has not responded to input for a while. */
export const hungQuestion: Question = {
  message: 'The window is not responding',
  detail: `${unaffected} Reloading the window loses only what was typed and not saved.`,
  buttons: ['Reload', 'Wait'],
};
