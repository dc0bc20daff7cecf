import { formatCount } from '../../../../src-shared/format/quantities.ts';
import { PageHeader } from '../../../ui/layout/page-header.tsx';

export interface ErrorsHeadProps {
  /** Null while the number of errors is unknown. */
  readonly total: number | null;
  readonly query: string;
  readonly onQuery: (query: string) => void;
  /** Moves the focus to the list. */
  readonly onLeave: () => void;
}

/** The header of a list of errors, with its search. */
export function ErrorsHead({ total, query, onQuery, onLeave }: ErrorsHeadProps) {
  return (
    <PageHeader
      title="Errors"
      count={total === null ? undefined : formatCount(total)}
      search={{ value: query, label: 'Search errors', onChange: onQuery, onLeave }}
    />
  );
}
