import type { UseQueryResult } from '@tanstack/react-query';
import { Button } from '../../ui/button.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import screen from '../../ui/screen.module.css';

/** Why a list could not be read; nothing while it is read, or once it was. */
export function ListFailure({ query }: { readonly query: UseQueryResult }) {
  if (query.error === null || query.data !== undefined) return null;
  return (
    <div className={screen['note']}>
      <ProblemNote error={query.error} action={<Button onClick={() => void query.refetch()}>Try again</Button>} />
    </div>
  );
}
