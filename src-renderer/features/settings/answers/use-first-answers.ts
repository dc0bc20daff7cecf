import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';

/** Whether everything that was asked for when the screen was opened has been answered, well or not: shown before, its parts would push each other down as they come. */
export function useFirstAnswers(): boolean {
  const client = useQueryClient();
  const [answered, setAnswered] = useState(false);
  useEffect(() => {
    // What fails is asked for again for a while, and the others need not wait for that.
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
