import { ArrowDownUp } from 'lucide-react';
import type { ListQuery } from '../../../api/queries/list-query.ts';
import type { MeasurementSort } from '../../../api/requests/types.ts';
import { IconButton } from '../../../ui/controls/button.tsx';
import { Menu } from '../../../ui/controls/menu.tsx';
import { columns } from './columns.ts';

/** Both directions of each column, in words. */
const orderWords: Readonly<Record<MeasurementSort, Readonly<Record<ListQuery['order'], string>>>> = {
  id: { asc: 'A to Z', desc: 'Z to A' },
  title: { asc: 'A to Z', desc: 'Z to A' },
  file_count: { asc: 'fewest first', desc: 'most first' },
  total_bytes: { asc: 'smallest first', desc: 'largest first' },
  state: { asc: 'available first', desc: 'registering first' },
  created_at: { asc: 'oldest first', desc: 'newest first' },
};

/**
 * Sort menu for narrow lists without column heads. Choosing the same column again reverses the
 * order.
 */
export function SortMenu({
  list,
  onSort,
}: {
  readonly list: ListQuery;
  readonly onSort: (sort: MeasurementSort) => void;
}) {
  const entries = columns.map(({ sort, word }) => ({
    kind: 'item' as const,
    id: sort,
    label: sort === list.sort ? `${word}, ${orderWords[sort][list.order]}` : word,
    checked: sort === list.sort,
    run: () => onSort(sort),
  }));
  const current = columns.find(({ sort }) => sort === list.sort);
  return (
    <Menu
      align="end"
      entries={[{ kind: 'heading', id: 'head', label: 'Sort by' }, ...entries]}
      trigger={
        <IconButton
          label={`Sort: ${current?.word ?? ''}, ${orderWords[list.sort][list.order]}`}
          icon={<ArrowDownUp />}
        />
      }
    />
  );
}
