import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useApp } from '../../context/context.ts';
import { Dialog } from '../../ui/dialogs/dialog.tsx';
import { DialogForm } from '../../ui/dialogs/form.tsx';
import { failedTest, wantsAnotherToken } from './failed-test.ts';
import { TokenField } from './token-field.tsx';

export interface TokenDialogProps {
  readonly serverId: number;
  /** Why a token is needed. */
  readonly about: string | null;
  readonly onClose: () => void;
  /** Called once the token is stored and the server accepts it. */
  readonly onGiven?: () => Promise<void>;
}

/**
 * Stores a new token for a server and tests it. The pending action then continues; a refused token
 * can be corrected.
 */
export function TokenDialog({ serverId, about, onClose, onGiven }: TokenDialogProps) {
  const { queries, actions } = useApp();
  const client = useQueryClient();
  const server = useQuery(queries.servers()).data?.find(({ id }) => id === serverId);
  const [token, setToken] = useState('');
  const give = async (): Promise<void> => {
    await actions.changeServer(serverId, { token });
    const tested = await actions.testServer(serverId);
    await client.invalidateQueries({ queryKey: ['servers'] });
    if (wantsAnotherToken(tested)) throw failedTest(tested, '');
    await onGiven?.();
    onClose();
  };
  return (
    <Dialog
      open
      onClose={onClose}
      width="narrow"
      title={`New token for ${server?.name ?? 'the server'}`}
      description={about ?? undefined}
    >
      <DialogForm verb="Save and continue" ready={token !== ''} onCancel={onClose} onSubmit={give}>
        <TokenField
          value={token}
          onChange={setToken}
          hint={`Create one on ${server?.base_url ?? 'the server'} with the scope read_measurement, and paste it here.`}
        />
      </DialogForm>
    </Dialog>
  );
}
