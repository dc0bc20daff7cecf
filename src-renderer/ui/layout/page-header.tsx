import { Search, X } from 'lucide-react';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { IconButton } from '../controls/button.tsx';
import { plainText } from '../../../src-shared/format/shown-text.ts';
import { useApp, useCommand } from '../../context/context.ts';
import styles from './page-header.module.css';
import { showKeys } from '../../context/shortcuts.ts';

export interface PageHeaderProps {
  /** May contain names from other users. */
  readonly title: string;
  /** Rendered before the title of a nested screen. */
  readonly back?: ReactNode;
  readonly count?: ReactNode;
  readonly search?: {
    readonly value: string;
    readonly label: string;
    readonly onChange: (value: string) => void;
    readonly onLeave?: () => void;
  };
  /** Rendered beside the search. */
  readonly beside?: ReactNode;
  readonly action?: ReactNode;
}

/** The header of a screen: title, search and the one primary action, always in the same place. */
export function PageHeader({ title, back, count, search, beside, action }: PageHeaderProps) {
  const shown = plainText(title);
  useEffect(() => {
    document.title = `${shown} · Benchport`;
  }, [shown]);
  return (
    <header className={styles['header']}>
      {back}
      <h1 tabIndex={-1} className={`${styles['title']} ${back === undefined ? '' : styles['inner']}`}>
        <span className={styles['name']} title={shown}>
          {shown}
        </span>
        {count === undefined ? null : <span className={styles['count']}>{count}</span>}
      </h1>
      {search === undefined ? <span className={styles['gap']} /> : <SearchBox {...search} />}
      {beside === undefined ? null : <span className={styles['beside']}>{beside}</span>}
      {action}
    </header>
  );
}

function SearchBox({ value, label, onChange, onLeave }: NonNullable<PageHeaderProps['search']>) {
  const { onMac } = useApp();
  const input = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState(value);
  const [known, setKnown] = useState(value);
  // The address bar may change the search too (back, a link): its value then takes precedence.
  if (known !== value) {
    setKnown(value);
    setTyped(value);
  }
  useEffect(() => {
    if (typed === value) return undefined;
    const timer = setTimeout(() => onChange(typed), 150);
    return () => clearTimeout(timer);
  }, [typed, value, onChange]);
  useCommand('find', () => input.current?.select());

  return (
    <search className={styles['search']}>
      <Search aria-hidden />
      <input
        ref={input}
        type="search"
        aria-label={label}
        placeholder="Search"
        value={typed}
        maxLength={200}
        spellCheck={false}
        onChange={(event) => setTyped(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') {
            event.preventDefault();
            if (typed === '') input.current?.blur();
            setTyped('');
          }
          if (event.key === 'ArrowDown' || event.key === 'Enter') onLeave?.();
        }}
      />
      {typed === '' ? (
        <kbd>{showKeys('Mod+F', onMac)}</kbd>
      ) : (
        <IconButton label="Clear the search" icon={<X />} onClick={() => setTyped('')} />
      )}
    </search>
  );
}
