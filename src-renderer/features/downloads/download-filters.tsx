import { useEffect, useId, useState } from 'react';
import type { DownloadFilter } from '../../api/queries/download-queries.ts';
import { Button } from '../../ui/controls/button.tsx';
import styles from './download-history.module.css';
import { outcomeChoices } from './download-words.ts';

interface DownloadFiltersProps {
  readonly filter: DownloadFilter;
  readonly onChange: (change: Partial<DownloadFilter>) => void;
}

/** Filters of downloads: user, result and start. */
export function DownloadFilters({ filter, onChange }: DownloadFiltersProps) {
  const id = useId();
  return (
    <search className={styles['filters']} aria-label="Which downloads">
      <PersonFilter user={filter.user} onChange={(user) => onChange({ user })} />
      <label htmlFor={`${id}-outcome`}>
        <span>Outcome</span>
        <select
          id={`${id}-outcome`}
          value={filter.outcome}
          onChange={(event) => onChange({ outcome: event.target.value })}
        >
          {outcomeChoices.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      </label>
      <label htmlFor={`${id}-from`}>
        <span>From</span>
        <input
          id={`${id}-from`}
          type="date"
          value={filter.from}
          max={filter.to}
          onChange={(event) => onChange({ from: event.target.value })}
        />
      </label>
      <label htmlFor={`${id}-to`}>
        <span>To</span>
        <input
          id={`${id}-to`}
          type="date"
          value={filter.to}
          min={filter.from}
          onChange={(event) => onChange({ to: event.target.value })}
        />
      </label>
      {Object.values(filter).every((value) => value === '') ? null : (
        <Button look="quiet" onClick={() => onChange({ user: '', outcome: '', from: '', to: '' })}>
          Clear filters
        </Button>
      )}
    </search>
  );
}

/** A user name; applied once typing has paused. */
function PersonFilter({ user, onChange }: { readonly user: string; readonly onChange: (user: string) => void }) {
  const id = useId();
  const [typed, setTyped] = useState(user);
  const [known, setKnown] = useState(user);
  if (known !== user) {
    setKnown(user);
    setTyped(user);
  }
  useEffect(() => {
    if (typed.trim() === user) return undefined;
    const timer = setTimeout(() => onChange(typed.trim()), 300);
    return () => clearTimeout(timer);
  }, [typed, user, onChange]);
  return (
    <label htmlFor={id}>
      <span>User name</span>
      <input
        id={id}
        placeholder="Everybody"
        autoComplete="off"
        spellCheck={false}
        maxLength={255}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
    </label>
  );
}
