import { ChevronLeft, ChevronRight } from 'lucide-react';
import { IconButton } from '../controls/button.tsx';
import { formatCount, formatTotal } from '../../../src-shared/format/quantities.ts';
import styles from './pager.module.css';

export interface PagerProps {
  /** Counted from 1. */
  readonly page: number;
  readonly pageSize: number;
  readonly total: number;
  /** Whether there may be more than `total`. */
  readonly more?: boolean;
  readonly onPage: (page: number) => void;
}

/** The current part of a long list, with buttons for the previous and the next. */
export function Pager({ page, pageSize, total, more = false, onPage }: PagerProps) {
  if (total <= pageSize && page === 1) return null;
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
