import { ListX } from 'lucide-react';
import type { Fetch, FetchFilter, FetchPage } from '../../api/requests/types.ts';
import { Button } from '../../ui/controls/button.tsx';
import { formatCount } from '../../../src-shared/format/quantities.ts';
import screen from '../../ui/layout/screen.module.css';
import { fetchFilters } from './list/transfers-search.ts';
import styles from './transfers-screen.module.css';

/** The filter that counts a fetch, besides that of all. */
function filterOf({ state }: Fetch): Exclude<FetchFilter, 'all'> {
  switch (state) {
    case 'queued':
    case 'running':
    case 'waiting':
      return 'active';
    case 'asking':
      return 'attention';
    case 'paused':
    case 'done':
      return state;
    case 'failed':
    case 'cancelled':
      return 'failed';
  }
}

export interface FilterBarProps {
  readonly counts: FetchPage['counts'];
  /** Number of hidden rows that the service still counts. */
  readonly hidden: readonly Fetch[];
  readonly filter: FetchFilter;
  readonly onFilter: (filter: FetchFilter) => void;
  /** Removes completed transfers from the list; their files stay. */
  readonly onClear: () => void;
}

/** Filters with their counts; empty ones are not offered. */
export function FilterBar({ counts, hidden, filter, onFilter, onClear }: FilterBarProps) {
  const count = (of: FetchFilter): number =>
    Math.max(0, counts[of] - (of === 'all' ? hidden.length : hidden.filter((one) => filterOf(one) === of).length));
  return (
    <div className={`${screen['filter']} ${styles['filters']}`}>
      <div className={screen['choices']} role="group" aria-label="Which transfers">
        {fetchFilters
          .filter((one) => one.filter === 'all' || one.filter === filter || count(one.filter) > 0)
          .map((one) => (
            <button
              key={one.filter}
              type="button"
              aria-pressed={one.filter === filter}
              onClick={() => onFilter(one.filter)}
            >
              {one.word} {formatCount(count(one.filter))}
            </button>
          ))}
      </div>
      {count('done') === 0 ? null : (
        <Button
          look="quiet"
          icon={<ListX aria-hidden />}
          title="Removes completed transfers from this list; the files stay where they are"
          onClick={onClear}
        >
          Clear completed
        </Button>
      )}
    </div>
  );
}
