import { useCallback, useLayoutEffect, useRef } from 'react';

/**
 * A function with a stable identity that calls the latest version, so that memoised rows do not
 * re-render.
 */
export function useStable<Values extends unknown[], Answer>(
  run: (...values: Values) => Answer,
): (...values: Values) => Answer {
  const latest = useRef(run);
  useLayoutEffect(() => {
    latest.current = run;
  });
  return useCallback((...values: Values) => latest.current(...values), []);
}
