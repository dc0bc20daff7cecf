import { createContext, useContext, useEffect, useState } from 'react';

/** One clock for all relative times, so that a thousand rows do not keep a thousand timers. */
export const NowContext = createContext<Date>(new Date(0));

/** The shared time, at most 15 seconds old. */
export function useNow(): Date {
  return useContext(NowContext);
}

/** Ticks every 15 seconds. */
export function useClock(): Date {
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), 15_000);
    return () => clearInterval(timer);
  }, []);
  return now;
}
