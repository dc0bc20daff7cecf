import type { Fetch } from '../../../api/requests/types.ts';
import type { AppServices } from '../../../context/context.ts';
import { nameOf, troubleOf } from '../../../words/fetch-words.ts';

/**
 * Updates the toast of a fetch that has just begun with its end; otherwise its row shows the end,
 * and a notification while the window is not in front.
 */
export function tellEndOfFetch({ toasts, desktop }: Pick<AppServices, 'toasts' | 'desktop'>, fetch: Fetch): void {
  const { toasts: shown, replace } = toasts.getState();
  const begun = shown.find(({ fetchId }) => fetchId === fetch.id);
  if (begun === undefined) return;
  const { action } = begun;
  if (fetch.state === 'done') {
    replace(begun.id, {
      kind: 'plain',
      text: `${nameOf(fetch)} fetched`,
      detail: 'Every byte is verified.',
      ...(desktop === null
        ? {}
        : { action: { label: 'Show in folder', run: () => void desktop.showInFolder(fetch.target) } }),
    });
  } else if (fetch.state === 'failed' || fetch.state === 'asking') {
    const text = fetch.state === 'failed' ? `${nameOf(fetch)} could not be fetched` : `${nameOf(fetch)} waits for you`;
    replace(begun.id, {
      kind: 'bad',
      text,
      detail: troubleOf(fetch) ?? '',
      ...(action === undefined ? {} : { action }),
    });
  }
}
