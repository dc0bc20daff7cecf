import { useQueryClient } from '@tanstack/react-query';
import { toApiError } from '../../api/requests/problem.ts';
import type { RemoteServer } from '../../api/requests/types.ts';
import { useApp, useCommand, useToast } from '../../context/context.ts';
import { useStable } from '../../ui/hooks/use-stable.ts';
import type { AskedOfServers } from './server-dialogs.tsx';

/** Commands for the selected server. */
export function useServerCommands(server: RemoteServer | null, ask: (asked: AskedOfServers) => void): void {
  const test = useTestServer();
  useCommand('test-server', server === null ? null : () => test(server));
  useCommand('edit-server', server === null ? null : () => ask({ kind: 'edit', server }));
  useCommand('remove-server', server === null ? null : () => ask({ kind: 'remove', server }));
}

/** Tests a server and reports the result. */
export function useTestServer(): (server: RemoteServer) => void {
  const { actions } = useApp();
  const client = useQueryClient();
  const toast = useToast();
  return useStable((server: RemoteServer): void => {
    actions
      .testServer(server.id)
      .then(
        (tested) =>
          tested.state === 'ok'
            ? toast({ kind: 'plain', text: `${server.name} is ready` })
            : toast({
                kind: 'bad',
                text: `${server.name} cannot be used`,
                ...(tested.message === null ? {} : { detail: tested.message }),
              }),
        (error: unknown) =>
          toast({ kind: 'bad', text: `${server.name} could not be tested`, detail: toApiError(error).detail }),
      )
      .finally(() => void client.invalidateQueries({ queryKey: ['servers'] }));
  });
}
