import type { QueryClient } from '@tanstack/react-query';
import { Cancelled, toApiError } from '../../api/requests/problem.ts';
import type { Merged } from '../../api/requests/types.ts';
import type { AppServices } from '../../context/context.ts';
import { countOf } from '../../../src-shared/format/quantities.ts';

/** Number of groups that the service separates with one request. */
const maxGroups = 100;

/**
 * Merges several errors into one and offers undo.
 * @throws ApiError
 */
export async function mergeErrors(
  app: Pick<AppServices, 'actions' | 'toasts'>,
  client: QueryClient,
  projectId: number,
  ids: readonly string[],
): Promise<void> {
  const { show } = app.toasts.getState();
  const merged = await app.actions.mergeErrors(projectId, ids);
  const undo = async (): Promise<void> => {
    try {
      await separate(app, projectId, merged);
      show({ kind: 'plain', text: `${countOf(merged.before.length, 'error')} are separate again` });
    } catch (error) {
      if (!(error instanceof Cancelled))
        show({ kind: 'bad', text: 'Not all errors could be separated again', detail: toApiError(error).detail });
    }
    await client.invalidateQueries({ queryKey: ['errors', String(projectId)] });
    await client.invalidateQueries({ queryKey: ['errors', 'all'] });
  };
  const canUndo = merged.before.slice(1).every(({ groups }) => groups.length <= maxGroups);
  show({
    kind: 'plain',
    text: `${countOf(ids.length, 'error')} merged`,
    ...(canUndo ? { action: { label: 'Undo', run: () => void undo() } } : {}),
  });
}

/**
 * Separates the groups of each error from the merged one; each gets a new number and its former
 * status.
 */
async function separate(
  { actions }: Pick<AppServices, 'actions'>,
  projectId: number,
  { id: left, before }: Merged,
): Promise<void> {
  for (const { id, status, groups } of before) {
    const created = id === left ? left : (await actions.unmergeGroups(projectId, left, groups)).id;
    // The kept error first: separated errors start with its status.
    await actions.setErrorStatus(projectId, [created], status);
  }
}
