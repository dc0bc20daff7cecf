import type { FetchSummary } from '../notices/fetch-watch.ts';

/**
 * Argument of Electron's `setProgressBar`: a fraction, 2 for work of unknown length, -1 for
 * nothing.
 */
export interface TaskbarProgress {
  readonly value: number;
  readonly mode: 'normal' | 'error';
}

/**
 * The progress bar on the taskbar icon. It turns red after a failure that the user has not seen
 * yet, or when a fetch needs the user.
 */
export function taskbarProgress(summary: FetchSummary): TaskbarProgress {
  const mode = summary.failed > 0 || summary.asking > 0 ? 'error' : 'normal';
  if (summary.underWay > 0) return { value: summary.fraction ?? 2, mode };
  // A red bar is visible only with a length.
  return mode === 'error' ? { value: 1, mode } : { value: -1, mode };
}
