import { ArrowDown, ArrowUp } from 'lucide-react';
import styles from './sort-button.module.css';

export type Direction = 'asc' | 'desc';

/** The state of a column head for screen readers; null while another column sorts the list. */
export function ariaSort(order: Direction | null): 'none' | 'ascending' | 'descending' {
  return order === null ? 'none' : order === 'asc' ? 'ascending' : 'descending';
}

export interface SortButtonProps {
  readonly word: string;
  readonly order: Direction | null;
  readonly onSort: () => void;
}

/** The button of a column head, with an arrow while the list is sorted by it. */
export function SortButton({ word, order, onSort }: SortButtonProps) {
  const Arrow = order === 'asc' ? ArrowUp : ArrowDown;
  return (
    <button type="button" className={styles['sort']} onClick={onSort}>
      {word}
      {order === null ? null : <Arrow aria-hidden />}
    </button>
  );
}
