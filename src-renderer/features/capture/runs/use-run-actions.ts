import { useQueryClient } from '@tanstack/react-query';
import { toApiError } from '../../../api/requests/problem.ts';
import type { CaptureRun, CaptureRunActionRequest } from '../../../api/requests/types.ts';
import { useApp, useToast } from '../../../context/context.ts';

type RunRequest = Omit<CaptureRunActionRequest, 'ids'>;

/** Sends actions on runs, and reads the lists again. */
export function useRunActions() {
  const { actions } = useApp();
  const client = useQueryClient();
  const toast = useToast();
  /** @throws ApiError, for a dialog that shows it. */
  async function send(run: CaptureRun, request: RunRequest): Promise<void> {
    try {
      const { changed } = await actions.actOnCaptureRuns({ ...request, ids: [run.id] });
      if (changed === 0)
        toast({ kind: 'plain', text: `${run.name} was not changed`, detail: 'Its state is another one now.' });
    } finally {
      await client.invalidateQueries({ queryKey: ['captures'] });
    }
  }
  /** Sends at once, and reports a failure beside the list. */
  function act(run: CaptureRun, request: RunRequest): void {
    send(run, request).catch((error: unknown) =>
      toast({ kind: 'bad', text: `${run.name} was not changed`, detail: toApiError(error).detail }),
    );
  }
  return { send, act };
}
