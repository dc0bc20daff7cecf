import { ariaSort, SortButton, type SortButtonProps } from './sort-button.tsx';
import styles from './virtual-list.module.css';

/** The column head of a long list: a button that sorts by it. */
export function SortHead({ numeric, ...sort }: { readonly numeric: boolean } & SortButtonProps) {
  return (
    <div role="presentation" className={numeric ? styles['numeric'] : styles['cell']}>
      <div role="columnheader" aria-sort={ariaSort(sort.order)}>
        <SortButton {...sort} />
      </div>
    </div>
  );
}
