import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { CircleCheck, Send } from 'lucide-react';
import { useState } from 'react';
import type { Project } from '../../../api/requests/types.ts';
import { useApp, useCommand } from '../../../context/context.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { ProblemNote } from '../../../ui/notes/problem-note.tsx';
import { StatusWord } from '../../../ui/notes/status-word.tsx';
import { useSubmit } from '../../../ui/hooks/use-submit.ts';

/** Sends a test event, and shows whether it was stored. */
export function TestEvent({ project }: { readonly project: Project }) {
  const { actions } = useApp();
  const client = useQueryClient();
  const [id, setId] = useState<string | null>(null);
  const { busy, failure, submit } = useSubmit(async () => {
    setId(null);
    setId((await actions.sendTestEvent(project.path)).id);
    await client.invalidateQueries({ queryKey: ['errors'] });
  });
  useCommand('send-test-event', busy ? null : submit);
  return (
    <div className="start">
      <Button icon={<Send aria-hidden />} busy={busy} onClick={submit}>
        Send test event
      </Button>
      <div role="status">
        {id === null ? null : (
          <StatusWord
            tone="ok"
            icon={CircleCheck}
            word={
              <>
                Stored as event <code>{id}</code>. Look at it in{' '}
                <Link to="/projects/$path/errors" params={{ path: project.path }}>
                  Errors
                </Link>
                .
              </>
            }
          />
        )}
      </div>
      <ProblemNote error={failure} />
    </div>
  );
}
