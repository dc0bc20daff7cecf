import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { Fetch } from '../../../api/requests/types.ts';
import { useApp } from '../../../context/context.ts';
import { useStable } from '../../../ui/hooks/use-stable.ts';
import { actOn, moveTarget } from './act-on-fetches.ts';
import { hasEnded, remedyOf } from '../../../words/fetch-words.ts';
import type { AskedOfTransfers } from './transfer-dialogs.tsx';

/** Runs the one action that lets a fetch continue. */
export function useRemedy(ask: (asked: AskedOfTransfers) => void): (fetch: Fetch) => void {
  const app = useApp();
  const client = useQueryClient();
  const navigate = useNavigate();
  return useStable((fetch: Fetch): void => {
    const remedy = remedyOf(fetch);
    if (remedy === 'token' || remedy === 'certificate') {
      // A server that was removed since has to be added again first.
      if (fetch.server_id === null) void navigate({ to: '/servers', search: { add: fetch.base_url } });
      else ask({ kind: remedy, fetch, server: fetch.server_id });
    } else if (remedy === 'folder') void moveTarget(app, client, fetch);
    else if (remedy === 'keep-both') void actOn(app, client, 'keep-both', [fetch]);
    else void actOn(app, client, hasEnded(fetch) ? 'retry' : 'resume', [fetch]);
  });
}
