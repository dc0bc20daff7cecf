import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useApp } from '../../app/context.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { DialogForm } from '../../ui/form.tsx';
import { TokenField } from './token-field.tsx';

export interface TokenDialogProps {
  readonly serverId: number;
  /** Why one is needed. */
  readonly about: string | null;
  readonly onClose: () => void;
  readonly onGiven: () => Promise<void>;
}

/** Takes a new token for a server. What waited for it goes on where it was. */
export function TokenDialog({ serverId, about, onClose, onGiven }: TokenDialogProps) {
  const { queries, actions } = useApp();
  const client = useQueryClient();
  const server = useQuery(queries.servers()).data?.find(({ id }) => id === serverId);
  const [token, setToken] = useState('');
  const give = async (): Promise<void> => {
    await actions.changeServer(serverId, { token });
    await client.invalidateQueries({ queryKey: ['servers'] });
    await onGiven();
    onClose();
  };
  return (
    <Dialog open onClose={onClose} width="narrow" title={`New token for ${server?.name ?? 'the server'}`} description={about ?? undefined}>
      <DialogForm verb="Save and go on" ready={token !== ''} onCancel={onClose} onSubmit={give}>
        <TokenField
          value={token}
          onChange={setToken}
          hint={`Create one on ${server?.base_url ?? 'the server'} with the scope read_measurement, and paste it here.`}
        />
      </DialogForm>
    </Dialog>
  );
}
