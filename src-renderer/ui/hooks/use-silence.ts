import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { useApp } from '../../context/context.ts';

/**
 * Whole seconds for which a request has waited while the service is silent; null while it responds.
 * Updated each second.
 */
export function useSilentSeconds(): number | null {
  const silence = useStore(useApp().live, (state) => state.silence);
  const [now, setNow] = useState(0);
  const isSilent = silence !== null;
  useEffect(() => {
    if (!isSilent) return undefined;
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, [isSilent]);
  return silence === null ? null : Math.max(2, Math.round((now - silence.since) / 1000));
}
