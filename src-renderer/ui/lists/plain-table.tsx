import type { ReactNode } from 'react';
import { ScrollRegion } from '../layout/scroll-region.tsx';
import { columnKey, TableHead, type TableColumn } from './table-head.tsx';
import styles from './table.module.css';

export interface PlainTableProps {
  readonly label: string;
  readonly columns: readonly TableColumn[];
  readonly className?: string | undefined;
  /** The class of a container that does not scroll, for a table within a longer page. */
  readonly within?: string | undefined;
  /** The rows. */
  readonly children: ReactNode;
}

/** A table without anything to select. */
export function PlainTable({ label, columns, className = '', within, children }: PlainTableProps) {
  const table = (named: { readonly 'aria-label'?: string }) => (
    <table className={`${styles['table']} ${className}`} {...named}>
      <thead>
        <tr>
          {columns.map((column) => (
            <TableHead key={columnKey(column)} column={column} sort={null} />
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  );
  if (within !== undefined) return <div className={within}>{table({ 'aria-label': label })}</div>;
  return (
    <ScrollRegion className={styles['scroller']} label={label}>
      {table({})}
    </ScrollRegion>
  );
}
