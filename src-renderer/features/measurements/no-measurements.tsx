import { Database } from 'lucide-react';
import type { ListQuery } from '../../api/queries/list-query.ts';
import { Button } from '../../ui/controls/button.tsx';
import { EmptyState } from '../../ui/notes/empty-state.tsx';
import { FirstMeasurement } from './first-measurement.tsx';

export interface NoMeasurementsProps {
  readonly list: ListQuery;
  /** Whether the service did not search all measurements. */
  readonly more: boolean;
  readonly onClear: () => void;
}

/** Empty state of the list: how to begin, or that the search finds nothing. */
export function NoMeasurements({ list, more, onClear }: NoMeasurementsProps) {
  if (list.search === '') return list.problems === true ? null : <FirstMeasurement />;
  return (
    <EmptyState
      icon={<Database aria-hidden />}
      title={
        more
          ? `“${list.search}” is not in the first measurements of this list.`
          : `No measurement matches “${list.search}”.`
      }
      action={<Button onClick={onClear}>Clear the search</Button>}
    >
      {more ? 'The text is too short to search all of them. Enter three letters or more.' : undefined}
    </EmptyState>
  );
}
