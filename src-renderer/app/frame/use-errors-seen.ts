import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useApp } from '../../context/context.ts';

/** Counts errors as seen while a list of errors is on the screen. */
export function useErrorsSeen(onErrors: boolean): void {
  const { actions, queries } = useApp();
  const { errors = 0, newest = 0 } = useQuery(queries.happeningCounts()).data ?? {};
  useEffect(() => {
    if (!onErrors || errors === 0 || document.visibilityState !== 'visible') return;
    // It is done again with the next count.
    actions.markHappeningsSeen({ errors_until: newest }).catch(() => {});
  }, [actions, onErrors, errors, newest]);
}
