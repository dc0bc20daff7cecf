import { useQuery } from '@tanstack/react-query';
import { useEffect, useId, useState, type ReactNode } from 'react';
import { useApp } from '../../context/context.ts';
import { Button } from './button.tsx';
import styles from './filter-fields.module.css';
import { Options } from './text-field.tsx';

export interface FilterFieldsProps {
  readonly label: string;
  readonly filter: Readonly<Record<'from' | 'to', string>>;
  readonly onDays: (change: Partial<Record<'from' | 'to', string>>) => void;
  readonly onClear: () => void;
  readonly className?: string | undefined;
  /** The filters before the days. */
  readonly children: ReactNode;
}

/** The filters above a list: those given, two days, and a button that clears all of them. */
export function FilterFields({ label, filter, onDays, onClear, className = '', children }: FilterFieldsProps) {
  return (
    <search className={`${styles['controls']} ${styles['filters']} ${className}`} aria-label={label}>
      {children}
      <DayFilter label="From" day={filter.from} max={filter.to} onChange={(from) => onDays({ from })} />
      <DayFilter label="To" day={filter.to} min={filter.from} onChange={(to) => onDays({ to })} />
      {Object.values(filter).every((value) => value === '') ? null : (
        <Button look="quiet" onClick={onClear}>
          Clear filters
        </Button>
      )}
    </search>
  );
}

interface DayFilterProps {
  readonly label: string;
  readonly day: string;
  readonly min?: string;
  readonly max?: string;
  readonly onChange: (day: string) => void;
}

function DayFilter({ label, day, onChange, ...limits }: DayFilterProps) {
  const id = useId();
  return (
    <label htmlFor={id}>
      <span>{label}</span>
      <input id={id} type="date" value={day} onChange={(event) => onChange(event.target.value)} {...limits} />
    </label>
  );
}

export interface SelectFilterProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** The options. */
  readonly children: ReactNode;
}

/** A filter with a few values to choose from. */
export function SelectFilter({ label, value, onChange, children }: SelectFilterProps) {
  const id = useId();
  return (
    <label htmlFor={id}>
      <span>{label}</span>
      <select id={id} value={value} onChange={(event) => onChange(event.target.value)}>
        {children}
      </select>
    </label>
  );
}

export interface UserFilterProps {
  readonly user: string;
  readonly label?: string;
  /** Offers matching users, for administrators. */
  readonly suggests?: boolean;
  readonly onChange: (user: string) => void;
}

/** A user name. Applied once typing has paused. */
export function UserFilter({ user, label = 'User', suggests = false, onChange }: UserFilterProps) {
  const { queries } = useApp();
  const id = useId();
  const [typed, setTyped] = useState(user);
  const [known, setKnown] = useState(user);
  // The address bar may change it too: its value then takes precedence.
  if (known !== user) {
    setKnown(user);
    setTyped(user);
  }
  const wanted = typed.trim();
  useEffect(() => {
    if (wanted === user) return undefined;
    const timer = setTimeout(() => onChange(wanted), 300);
    return () => clearTimeout(timer);
  }, [wanted, user, onChange]);
  const names = useQuery({ ...queries.users(wanted), enabled: suggests && wanted !== '' });
  return (
    <>
      <label htmlFor={`${id}-user`}>
        <span>{label}</span>
        <input
          id={`${id}-user`}
          {...(suggests ? { list: `${id}-names` } : {})}
          placeholder="Everybody"
          autoComplete="off"
          spellCheck={false}
          maxLength={255}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
      </label>
      {/* Within the label, the suggestions would be part of the field's accessible name. */}
      {suggests ? (
        <datalist id={`${id}-names`}>
          <Options of={(names.data ?? []).map(({ username, name }) => ({ value: username, label: name }))} />
        </datalist>
      ) : null}
    </>
  );
}
