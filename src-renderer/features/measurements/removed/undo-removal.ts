import type { AppServices } from '../../../context/context.ts';
import { runForMany } from '../../../context/run-for-many.ts';
import { toApiError } from '../../../api/requests/problem.ts';

type App = Pick<AppServices, 'actions' | 'toasts'>;

/** Restores what was removed last under an id. @throws ApiError, or Error when it is not there any more. */
async function restoreLast({ actions }: App, id: string): Promise<void> {
  const removal = await actions.removalOf(id);
  if (removal === null) throw new Error(`${id} cannot be restored any more.`);
  await actions.restore(removal.id);
}

/** Restores measurements that were just removed, with one message. */
export async function undoRemoval(app: App, ids: readonly string[]): Promise<void> {
  const [only = ''] = ids;
  if (ids.length > 1) {
    const verbs = { doing: 'Restoring', done: 'restored' };
    const run = async (id: string): Promise<void> => restoreLast(app, id);
    await runForMany(app, { items: ids, nameOf: (id) => id, noun: 'measurement', verbs, run });
    return;
  }
  const { show } = app.toasts.getState();
  try {
    await restoreLast(app, only);
    show({ kind: 'plain', text: `${only} restored` });
  } catch (error) {
    show({ kind: 'bad', text: `${only} was not restored`, detail: toApiError(error).detail });
  }
}
