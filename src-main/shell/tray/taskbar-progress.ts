import type { FetchSummary } from '../notices/fetch-watch.ts';

/** What the taskbar shows: a fraction, 2 for work of unknown length, -1 for nothing. */
export interface TaskbarProgress {
  readonly value: number;
  readonly mode: 'normal' | 'error';
}

/** The bar at the icon in the taskbar. It turns red when something failed since somebody last looked, or waits for a word. */
export function taskbarProgress(summary: FetchSummary): TaskbarProgress {
  const mode = summary.failed > 0 || summary.asking > 0 ? 'error' : 'normal';
  if (summary.underWay > 0) return { value: summary.fraction ?? 2, mode };
  // A red bar needs a length to be seen.
  return mode === 'error' ? { value: 1, mode } : { value: -1, mode };
}
