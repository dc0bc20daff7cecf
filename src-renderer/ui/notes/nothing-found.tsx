import type { ReactNode } from 'react';
import { Button } from '../controls/button.tsx';
import { EmptyState } from './empty-state.tsx';

export interface NothingFoundProps {
  /** The kind of thing that was searched for, such as `token`. */
  readonly what: string;
  readonly search: string;
  readonly icon?: ReactNode;
  readonly onClear: () => void;
}

/** Replaces a list in which a search finds nothing. */
export function NothingFound({ what, search, icon, onClear }: NothingFoundProps) {
  return (
    <EmptyState
      icon={icon}
      title={`No ${what} matches “${search}”.`}
      action={<Button onClick={onClear}>Clear the search</Button>}
    />
  );
}
