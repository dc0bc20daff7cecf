import { ChevronLeft, ChevronRight } from 'lucide-react';
import { IconButton } from '../controls/button.tsx';
import { formatCount, formatTotal } from '../../../src-shared/format/quantities.ts';
import styles from './pager.module.css';

export interface PagerProps {
  /** Counted from 1. */
  readonly page: number;
  readonly pageSize: number;
  /** The list; there may be `more` than `total`. Undefined until it is loaded. */
  readonly of: { readonly total: number; readonly more: boolean } | undefined;
  readonly onPage: (page: number) => void;
}

/** The current part of a long list, with buttons for the previous and the next. */
export function Pager({ page, pageSize, of, onPage }: PagerProps) {
  if (of === undefined || (of.total <= pageSize && page === 1)) return null;
  const { total, more } = of;
  const first = (page - 1) * pageSize + 1;
  const last = Math.min(page * pageSize, total);
  return (
    <nav className={styles['pager']} aria-label="Pages">
      <IconButton label="Previous page" icon={<ChevronLeft />} disabled={page <= 1} onClick={() => onPage(page - 1)} />
      <span className="digits" role="status">
        {total === 0
          ? 'Nothing here'
          : `${formatCount(Math.min(first, total))} to ${formatCount(last)} of ${formatTotal(total, more)}`}
      </span>
      <IconButton label="Next page" icon={<ChevronRight />} disabled={last >= total} onClick={() => onPage(page + 1)} />
    </nav>
  );
}
