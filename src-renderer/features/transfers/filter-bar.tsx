import type { Fetch, FetchFilter, FetchPage } from '../../api/types.ts';
import { formatCount } from '../../ui/format/quantities.ts';
import screen from '../../ui/screen.module.css';
import { fetchFilters } from './transfers-search.ts';

/** Which of the filters a fetch is counted in, besides that of all. */
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
  /** Rows that are out of sight already, but still counted. */
  readonly hidden: readonly Fetch[];
  readonly filter: FetchFilter;
  readonly onFilter: (filter: FetchFilter) => void;
}

/** Which transfers, with how many of each; kinds of which there are none are not offered. */
export function FilterBar({ counts, hidden, filter, onFilter }: FilterBarProps) {
  const count = (of: FetchFilter): number => Math.max(0, counts[of] - (of === 'all' ? hidden.length : hidden.filter((one) => filterOf(one) === of).length));
  return (
    <div className={`${screen['choices']} ${screen['filter']}`} role="group" aria-label="Which transfers">
      {fetchFilters
        .filter((one) => one.filter === 'all' || one.filter === filter || count(one.filter) > 0)
        .map((one) => (
          <button key={one.filter} type="button" aria-pressed={one.filter === filter} onClick={() => onFilter(one.filter)}>
            {one.word} {formatCount(count(one.filter))}
          </button>
        ))}
    </div>
  );
}
