import { useQueryClient } from '@tanstack/react-query';
import { CloudOff } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { Button } from '../ui/button.tsx';
import { useApp } from './context.ts';
import styles from './service-banner.module.css';

/** A service that only starts again is back before anybody needs to be told. */
const patience = 2500;

/** Says that the service is away, above everything, because what is shown may be old and nothing can be changed. */
export function ServiceBanner() {
  const { live } = useApp();
  const client = useQueryClient();
  const lost = useStore(live, (state) => state.connection === 'lost');
  const [shown, setShown] = useState(false);
  useEffect(() => {
    if (!lost) return undefined;
    const timer = setTimeout(() => setShown(true), patience);
    return () => {
      clearTimeout(timer);
      setShown(false);
    };
  }, [lost]);
  return (
    <div role="status" className={styles['place']}>
      {shown ? (
        <div className={styles['banner']}>
          <CloudOff aria-hidden />
          <p>The Benchport service is away and is called again by itself. What you see may be old.</p>
          <Button onClick={() => void client.invalidateQueries()}>Try again now</Button>
        </div>
      ) : null}
    </div>
  );
}
