import { useQueryClient } from '@tanstack/react-query';
import type { RemoteServer } from '../../api/requests/types.ts';
import { useApp } from '../../context/context.ts';
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog.tsx';
import { CertificateDialog } from '../server-trust/certificate-dialog.tsx';
import { ServerForm } from './server-form.tsx';
import { TokenDialog } from '../server-trust/token-dialog.tsx';

export type AskedOfServers =
  | { readonly kind: 'add'; readonly address: string; readonly certificate?: string | null }
  | { readonly kind: 'edit' | 'remove' | 'certificate' | 'token'; readonly server: RemoteServer };

export interface ServerDialogsProps {
  readonly asked: AskedOfServers | null;
  readonly onAsk: (asked: AskedOfServers) => void;
  readonly onClose: () => void;
  /** Called once a server was added and works. */
  readonly onReady?: (server: RemoteServer) => void;
  readonly onRemoved?: () => void;
}

/** The dialogs of servers; at most one is open. */
export function ServerDialogs({ asked, onAsk, onClose, onReady, onRemoved }: ServerDialogsProps) {
  const { actions } = useApp();
  const client = useQueryClient();
  if (asked === null) return null;
  switch (asked.kind) {
    case 'add':
    case 'edit':
      return (
        <ServerForm
          server={asked.kind === 'edit' ? asked.server : null}
          address={asked.kind === 'add' ? asked.address : ''}
          certificate={asked.kind === 'add' ? (asked.certificate ?? null) : null}
          onClose={onClose}
          onSaved={(server) => {
            // An untrusted certificate is the only problem with a dialog of its own here.
            if (server.state === 'failed' && server.problem === 'certificate') onAsk({ kind: 'certificate', server });
            else if (asked.kind === 'add' && server.state !== 'failed') onReady?.(server);
          }}
        />
      );
    case 'certificate':
      return (
        <CertificateDialog server={asked.server} onClose={onClose} onTrusted={async () => onReady?.(asked.server)} />
      );
    case 'token':
      return <TokenDialog serverId={asked.server.id} about={asked.server.message} onClose={onClose} />;
    case 'remove':
      return (
        <ConfirmDialog
          open
          title={`Remove ${asked.server.name}?`}
          verb="Remove"
          onConfirm={async () => {
            await actions.removeServer(asked.server.id);
            await client.invalidateQueries({ queryKey: ['servers'] });
            onRemoved?.();
          }}
          onClose={onClose}
        >
          <p>
            Its token is deleted here; on the server it stays valid until somebody revokes it. Fetched files are kept. A
            server with running fetches cannot be removed.
          </p>
        </ConfirmDialog>
      );
  }
}
