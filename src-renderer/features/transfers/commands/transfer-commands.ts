import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useStore } from 'zustand';
import { fetchListKey, type FetchList } from '../../../api/queries/fetch-queries.ts';
import type { Fetch, FetchAction, FetchPage } from '../../../api/requests/types.ts';
import { useApp, useCommand } from '../../../context/context.ts';
import { actOn, setPriority } from './act-on-fetches.ts';
import { useSelection, type ChosenTransfers } from './chosen-transfers.ts';
import { hasEnded, may, remedyOf } from '../../../words/fetch-words.ts';
import { newest } from '../../../context/live-fetches.ts';
import type { AskedOfTransfers } from './transfer-dialogs.tsx';

export interface TransferTargetProps {
  readonly list: FetchList;
  readonly chosen: ChosenTransfers;
  readonly openId: string | null;
  /** When the list was last read. */
  readonly readAt: number;
}

/** The targets of commands: the selected rows; without a selection, the open transfer. */
export function useTransferTargets({ list, chosen, openId, readAt }: TransferTargetProps): readonly Fetch[] {
  const app = useApp();
  const client = useQueryClient();
  const { ids: selected } = useSelection(chosen);
  const ids = selected.size > 0 ? [...selected] : openId === null ? [] : [openId];
  const names = ids.join(' ');
  const alone = ids.length === 1 ? Number(names) : 0;
  // For several fetches the list's data is enough; it is refetched when one of them changes.
  const live = useStore(app.fetches.live.store, (state) => state.byId.get(alone));
  const listed = useMemo(() => {
    const wanted = new Set(names.split(' ').map(Number));
    const pages = client.getQueriesData<FetchPage>({ queryKey: fetchListKey(list) });
    return pages.flatMap(([key, page]) => {
      const at = client.getQueryState(key)?.dataUpdatedAt ?? 0;
      return page?.items.filter(({ id }) => wanted.has(id)).map((fetch) => ({ fetch, at })) ?? [];
    });
    // The pages are read again at that time.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [names, client, list.filter, list.search, list.sort, list.order, readAt]);
  // The open fetch need not be in the list. One that is in the list is not requested: moving
  // through the list by keyboard would send a request at every step.
  const one = useQuery({ ...app.queries.fetchOne(alone), enabled: alone > 0 && listed.length === 0 }).data;
  const known = listed.length === 0 && one !== undefined ? [{ fetch: one, at: readAt }] : listed;
  return known.map(({ fetch, at }) => newest(fetch, at, fetch.id === alone ? live : undefined));
}

export interface TransferCommandProps extends TransferTargetProps {
  readonly onRemedy: (fetch: Fetch) => void;
  readonly onAsk: (asked: AskedOfTransfers) => void;
}

/**
 * Commands for the selected transfers. Renders nothing: it is a component so that only it
 * re-renders with the selection.
 */
export function TransferCommands({ onRemedy, onAsk, ...which }: TransferCommandProps): null {
  const app = useApp();
  const client = useQueryClient();
  const navigate = useNavigate();
  const { desktop } = app;
  const targets = useTransferTargets(which);
  const those = (test: (fetch: Fetch) => boolean): readonly Fetch[] => targets.filter(test);
  const doing = (action: FetchAction, test: (fetch: Fetch) => boolean) => {
    const possible = those(test);
    return possible.length === 0 ? null : () => void actOn(app, client, action, possible);
  };
  const [only] = targets;
  const resumable = those(may.resume);
  const resume = (): void => {
    // A single fetch that needs a decision opens its dialog; several are resumed as they are.
    const remedy = targets.length === 1 && only !== undefined ? remedyOf(only) : null;
    if (only !== undefined && remedy !== null && remedy !== 'keep-both') onRemedy(only);
    else void actOn(app, client, 'resume', resumable);
  };
  const prioritise = (priority: number) => {
    const possible = those(may.order);
    return possible.length === 0 ? null : () => void setPriority(app, client, possible, priority);
  };
  const remove = (): void => {
    if (targets.some((fetch) => !hasEnded(fetch) && fetch.state !== 'paused'))
      onAsk({ kind: 'remove', fetches: targets });
    else app.fetches.removals.remove(targets);
  };
  useCommand('new-fetch', () => void navigate({ to: '/servers' }));
  useCommand('pause-fetch', doing('pause', may.pause));
  useCommand('resume-fetch', resumable.length === 0 ? null : resume);
  useCommand('retry-fetch', doing('retry', may.retry));
  useCommand('keep-both-fetch', doing('keep-both', may.keepBoth));
  useCommand('verify-fetch', doing('verify', may.verify));
  useCommand(
    'stop-fetch',
    those(may.stop).length === 0 ? null : () => onAsk({ kind: 'stop', fetches: those(may.stop) }),
  );
  useCommand(
    'show-fetch-folder',
    desktop === null || targets.length !== 1 || only === undefined
      ? null
      : () => void desktop.showInFolder(only.target),
  );
  useCommand('fetch-first', doing('first', may.order));
  useCommand('fetch-earlier', doing('earlier', may.order));
  useCommand('fetch-later', doing('later', may.order));
  useCommand('fetch-last', doing('last', may.order));
  useCommand('fetch-urgent', prioritise(1));
  useCommand('fetch-usual', prioritise(0));
  useCommand('fetch-idle', prioritise(-1));
  useCommand('remove-fetch', targets.length === 0 ? null : remove);
  return null;
}
