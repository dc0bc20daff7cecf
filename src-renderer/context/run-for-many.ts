import { Cancelled, toApiError } from '../api/requests/problem.ts';
import { countOf, formatCount } from '../../src-shared/format/quantities.ts';
import type { AppServices } from './context.ts';

/** Requests under way at the same time. */
const concurrency = 4;
/** Names that a message lists for one reason. */
const maxNames = 3;

export interface ManyItems<Item> {
  readonly items: readonly Item[];
  readonly nameOf: (item: Item) => string;
  readonly noun: string;
  readonly plural?: string;
  /** `Revoking`, `revoked`. */
  readonly verbs: { readonly doing: string; readonly done: string };
  readonly run: (item: Item) => Promise<unknown>;
  /** Undoes what succeeded. */
  readonly undo?: (done: readonly Item[]) => void;
}

/**
 * Does the same to many items, with one message: progress with a way to stop, then how many
 * succeeded, and which failed and why.
 * @returns the items that succeeded.
 */
export async function runForMany<Item>(
  { toasts }: Pick<AppServices, 'toasts'>,
  many: ManyItems<Item>,
): Promise<readonly Item[]> {
  const { show, update, dismiss } = toasts.getState();
  const { items, verbs } = many;
  const count = (of: number): string => countOf(of, many.noun, many.plural);
  const done: Item[] = [];
  const failed: { readonly name: string; readonly reason: string }[] = [];
  const state = { next: 0, stopped: false };
  const stop = (): void => {
    state.stopped = true;
  };
  const told = show({
    kind: 'plain',
    text: `${verbs.doing} ${count(items.length)}`,
    fraction: 0,
    action: { label: 'Stop', run: stop },
  });

  async function one(): Promise<void> {
    const item = items[state.next];
    state.next += 1;
    if (item === undefined) return;
    try {
      await many.run(item);
      done.push(item);
    } catch (error) {
      // The user declined to enter the password: the next item would only ask for it again.
      if (error instanceof Cancelled) stop();
      else failed.push({ name: many.nameOf(item), reason: toApiError(error).detail || toApiError(error).title });
    }
    update(told, { fraction: (done.length + failed.length) / items.length });
  }
  async function lane(): Promise<void> {
    while (!state.stopped && state.next < items.length) await one();
  }

  // The first item runs alone, because it may ask for the password once for all.
  await one();
  await Promise.all(Array.from({ length: concurrency }, lane));
  dismiss(told);
  const reached = done.length + failed.length;
  if (reached === 0) return done;
  const all = done.length === items.length;
  show({
    kind: failed.length > 0 ? 'bad' : 'plain',
    text: all
      ? `${count(done.length)} ${verbs.done}`
      : `${formatCount(done.length)} of ${count(items.length)} ${verbs.done}`,
    ...(many.undo && done.length > 0 ? { action: { label: 'Undo', run: () => many.undo?.(done) } } : {}),
    ...(all
      ? {}
      : {
          detail: [...reasonsOf(failed), ...(reached < items.length ? ['The rest was not started.'] : [])].join('\n'),
        }),
  });
  return done;
}

/** One line for each reason, with the first names that it applies to. */
function reasonsOf(failed: readonly { readonly name: string; readonly reason: string }[]): string[] {
  const byReason = new Map<string, string[]>();
  for (const { name, reason } of failed) byReason.set(reason, [...(byReason.get(reason) ?? []), name]);
  return [...byReason].map(([reason, all]) => {
    const names = all.slice(0, maxNames);
    const more = all.length - names.length;
    return `${names.join(', ')}${more > 0 ? ` and ${formatCount(more)} more` : ''}: ${reason}`;
  });
}
