import type { QueryClient } from '@tanstack/react-query';
import { Cancelled, toApiError } from '../../../api/requests/problem.ts';
import type { ErrorStatus, ErrorSummary } from '../../../api/requests/types.ts';
import type { AppServices } from '../../../context/context.ts';
import { countOf } from '../../../../src-shared/format/quantities.ts';
import { lineText } from '../../../../src-shared/format/shown-text.ts';

const did: Readonly<Record<ErrorStatus, string>> = { resolved: 'resolved', ignored: 'ignored', unresolved: 'reopened' };
const batchSize = 1000;

export type ChangedError = Pick<ErrorSummary, 'id' | 'title' | 'status'> & { readonly projectId: number };

/** Changes the status of errors and offers undo. */
export async function changeStatus(
  app: Pick<AppServices, 'actions' | 'toasts'>,
  client: QueryClient,
  errors: readonly ChangedError[],
  status: ErrorStatus,
): Promise<void> {
  const { show } = app.toasts.getState();
  const changed = errors.filter((error) => error.status !== status).slice(0, batchSize);
  const only = changed.length === 1 ? changed[0] : undefined;
  if (changed.length === 0) return;
  const what = only === undefined ? countOf(changed.length, 'error') : lineText(only.title, 60);
  const set = async (ones: readonly ChangedError[], to: ErrorStatus): Promise<void> => {
    for (const projectId of new Set(ones.map((one) => one.projectId))) {
      const ids = ones.filter((one) => one.projectId === projectId).map(({ id }) => id);
      await app.actions.setErrorStatus(projectId, ids, to);
      await client.invalidateQueries({ queryKey: ['errors', String(projectId)] });
    }
    await client.invalidateQueries({ queryKey: ['errors', 'all'] });
    await client.invalidateQueries({ queryKey: ['projects', 'all', 'mine'] });
  };
  const fail = (error: unknown): void => {
    if (!(error instanceof Cancelled))
      show({ kind: 'bad', text: `${what} could not be changed`, detail: toApiError(error).detail });
  };
  const undo = async (): Promise<void> => {
    for (const before of ['unresolved', 'resolved', 'ignored'] as const) {
      await set(
        changed.filter((error) => error.status === before),
        before,
      );
    }
  };
  try {
    await set(changed, status);
    show({
      kind: 'plain',
      text: `${what} ${only === undefined ? 'are' : 'is'} ${did[status]}`,
      action: { label: 'Undo', run: () => void undo().catch(fail) },
    });
  } catch (error) {
    fail(error);
  }
}
