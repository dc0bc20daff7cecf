import { useEffect, useState } from 'react';
import { formatDuration } from '../../../src-shared/format/times.ts';

/** Counts down to the next retry. */
export function RetryTime({ at }: { readonly at: string }) {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  const seconds = (new Date(at).getTime() - now) / 1000;
  return <span className="digits">{seconds <= 0 ? 'retrying' : `retry in ${formatDuration(Math.ceil(seconds))}`}</span>;
}
