import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Sharing, SharingChange } from '../../api/requests/types.ts';
import { useApp } from '../../context/context.ts';

/** Dependencies of the parts of the screen that show and change sharing. */
export interface SharingPart {
  readonly sharing: Sharing;
  readonly busy: boolean;
  /** Why the last change was refused. */
  readonly failure: unknown;
  readonly onChange: (change: SharingChange) => Promise<void>;
}

/** The state of sharing and how to change it; for the window. */
export function useSharing(): {
  readonly part: SharingPart | null;
  readonly error: Error | null;
  readonly refetch: () => Promise<unknown>;
} {
  const { queries, actions } = useApp();
  const client = useQueryClient();
  const { data, error, refetch } = useQuery(queries.sharing());
  const [failure, setFailure] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);

  async function change(requested: SharingChange): Promise<void> {
    setBusy(true);
    setFailure(null);
    try {
      client.setQueryData(queries.sharing().queryKey, await actions.changeSharing(requested));
      await client.invalidateQueries({ queryKey: ['service'] });
    } catch (reason) {
      setFailure(reason);
    } finally {
      setBusy(false);
    }
  }

  return {
    part: data === undefined ? null : { sharing: data, busy, failure, onChange: change },
    error: data === undefined ? error : null,
    refetch,
  };
}
