import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';

/**
 * Whether all requests of the screen have been answered, successfully or not: earlier, its sections
 * would push each other down as they load.
 */
export function useFirstAnswers(): boolean {
  const client = useQueryClient();
  const [answered, setAnswered] = useState(false);
  useEffect(() => {
    // A failing request is retried for a while, and the others need not wait for it.
    const look = (): void =>
      setAnswered(
        (before) =>
          before ||
          client.isFetching({
            predicate: ({ state }) => state.status === 'pending' && state.fetchFailureCount === 0,
          }) === 0,
      );
    look();
    return client.getQueryCache().subscribe(look);
  }, [client]);
  return answered;
}
