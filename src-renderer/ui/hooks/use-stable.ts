import { useCallback, useLayoutEffect, useRef } from 'react';

/** A function that stays the same from render to render and does what the latest one does, so that rows kept in memory stay as they are. */
export function useStable<Values extends unknown[], Answer>(
  run: (...values: Values) => Answer,
): (...values: Values) => Answer {
  const latest = useRef(run);
  useLayoutEffect(() => {
    latest.current = run;
  });
  return useCallback((...values: Values) => latest.current(...values), []);
}
