import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import type { DiscoveredServer } from '../../api/requests/types.ts';
import { useApp } from '../../context/context.ts';
import { Button } from '../../ui/controls/button.tsx';
import styles from './discovered.module.css';

/** Benchports announced on the local network that are not in the list yet. */
export function Discovered({ onAdd }: { readonly onAdd: (found: DiscoveredServer) => void }) {
  const { queries } = useApp();
  const found = (useQuery(queries.discoveredServers()).data ?? []).filter(({ added }) => !added);
  if (found.length === 0) return null;
  return (
    <section className={styles['found']} aria-label="Found on this network">
      <h2>On this network</h2>
      <ul>
        {found.map((one) => (
          <li key={one.base_url} className={styles['row']}>
            <span className={styles['names']}>
              <span>{one.name}</span>
              <span className="remark">{one.base_url}</span>
            </span>
            <Button icon={<Plus aria-hidden />} aria-label={`Add ${one.name}`} onClick={() => onAdd(one)}>
              Add
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}
