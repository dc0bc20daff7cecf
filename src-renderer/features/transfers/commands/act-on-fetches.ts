import type { QueryClient } from '@tanstack/react-query';
import { toApiError } from '../../../api/requests/problem.ts';
import type { Fetch, FetchAction } from '../../../api/requests/types.ts';
import type { AppServices } from '../../../context/context.ts';
import { countOf } from '../../../../src-shared/format/quantities.ts';
import { nameOf } from '../../../words/fetch-words.ts';

const failed: Readonly<Record<FetchAction, string>> = {
  pause: 'paused',
  resume: 'resumed',
  cancel: 'stopped',
  retry: 'retried',
  'keep-both': 'stored under another name',
  remove: 'removed',
  clear: 'removed',
  verify: 'verified',
  first: 'moved',
  earlier: 'moved',
  later: 'moved',
  last: 'moved',
};

type Deps = Pick<AppServices, 'actions' | 'toasts'>;

async function readAgain(client: QueryClient): Promise<void> {
  await client.invalidateQueries({ queryKey: ['fetches'] });
}

function reportFailure(toasts: AppServices['toasts'], text: string, error: unknown): void {
  toasts.getState().show({ kind: 'bad', text, detail: toApiError(error).detail });
}

/** Applies one action to several fetches, or to all; a failure is reported. */
export async function actOn(
  { actions, toasts }: Deps,
  client: QueryClient,
  action: FetchAction,
  fetches: readonly Fetch[] | 'all',
): Promise<void> {
  if (fetches.length === 0) return;
  try {
    await actions.actOnFetches(action, fetches === 'all' ? 'all' : fetches.map(({ id }) => id));
    await readAgain(client);
  } catch (error) {
    const [only] = fetches;
    const what =
      fetches === 'all'
        ? 'The transfers'
        : fetches.length === 1 && typeof only === 'object'
          ? nameOf(only)
          : countOf(fetches.length, 'transfer');
    reportFailure(toasts, `${what} could not be ${failed[action]}`, error);
  }
}

/** Removes all completed fetches from the list, and reports their number. */
export async function clearDone({ actions, toasts }: Deps, client: QueryClient): Promise<void> {
  try {
    const { changed } = await actions.actOnFetches('clear', 'all');
    await readAgain(client);
    toasts.getState().show({
      kind: 'plain',
      text: `${countOf(changed, 'transfer')} removed from the list`,
      detail: 'The files stay where they are.',
    });
  } catch (error) {
    reportFailure(toasts, 'The completed transfers could not be removed from the list', error);
  }
}

/** Sets the priority of several fetches: 1, 0 or -1. */
export async function setPriority(
  { actions, toasts }: Deps,
  client: QueryClient,
  fetches: readonly Fetch[],
  priority: number,
): Promise<void> {
  try {
    for (const { id } of fetches) await actions.changeFetch(id, { priority });
    await readAgain(client);
  } catch (error) {
    reportFailure(toasts, 'The priority could not be changed', error);
  }
}

/** Continues a fetch whose folder cannot be used in another one, which the user chooses. */
export async function moveTarget(
  app: Pick<AppServices, 'actions' | 'toasts' | 'desktop'>,
  client: QueryClient,
  fetch: Fetch,
): Promise<void> {
  try {
    const target = (await app.desktop?.chooseFetchFolder()) ?? null;
    if (target === null) return;
    await app.actions.changeFetch(fetch.id, { target });
    await app.actions.actOnFetches('resume', [fetch.id]);
    await readAgain(client);
  } catch (error) {
    reportFailure(app.toasts, `${nameOf(fetch)} cannot continue there`, error);
  }
}
