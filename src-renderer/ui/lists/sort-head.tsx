import { ArrowDown, ArrowUp } from 'lucide-react';
import styles from './virtual-list.module.css';

export interface SortHeadProps {
  readonly word: string;
  readonly numeric: boolean;
  /** Null while the list is sorted by another column. */
  readonly order: 'asc' | 'desc' | null;
  readonly onSort: () => void;
}

/** The column head of a long list: a button that sorts by it. */
export function SortHead({ word, numeric, order, onSort }: SortHeadProps) {
  const Arrow = order === 'asc' ? ArrowUp : ArrowDown;
  return (
    <div role="presentation" className={numeric ? styles['numeric'] : styles['cell']}>
      <div role="columnheader" aria-sort={order === null ? 'none' : order === 'asc' ? 'ascending' : 'descending'}>
        <button type="button" className={styles['sort']} onClick={onSort}>
          {word}
          {order === null ? null : <Arrow aria-hidden />}
        </button>
      </div>
    </div>
  );
}
