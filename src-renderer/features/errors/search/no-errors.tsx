import { useNavigate } from '@tanstack/react-router';
import { Bug } from 'lucide-react';
import type { Project } from '../../../api/requests/types.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { EmptyState } from '../../../ui/notes/empty-state.tsx';
import { withStatus } from './errors-search.ts';
import { NothingFound } from '../../../ui/notes/nothing-found.tsx';

/** Empty state of the list: no errors yet, none unresolved, or none found. */
export function NoErrors({
  project,
  query,
  onQuery,
}: {
  readonly project: Project;
  readonly query: string;
  readonly onQuery: (query: string) => void;
}) {
  const navigate = useNavigate();
  const icon = <Bug aria-hidden />;
  if (query.trim() !== '')
    return <NothingFound what="error" search={query.trim()} icon={icon} onClear={() => onQuery('')} />;
  const { active } = project.error_tracking;
  return (
    <EmptyState
      icon={icon}
      title={active ? 'No unresolved errors.' : `Error tracking is off in ${project.path}.`}
      action={
        <span className="buttons">
          <Button
            look="primary"
            onClick={() => void navigate({ to: '/projects/$path/settings', params: { path: project.path } })}
          >
            {active ? 'Send errors from a program' : 'Set up error tracking'}
          </Button>
          {active ? <Button onClick={() => onQuery(withStatus('', 'all'))}>Show all errors</Button> : null}
        </span>
      }
    >
      {active
        ? 'Errors appear here as they happen. The settings of the project have the address for your programs, and code samples for seven languages.'
        : null}
    </EmptyState>
  );
}
