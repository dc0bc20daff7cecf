import { useQueryClient } from '@tanstack/react-query';
import type { Fetch } from '../../../api/requests/types.ts';
import { useApp } from '../../../context/context.ts';
import { ConfirmDialog } from '../../../ui/dialogs/confirm-dialog.tsx';
import { countOf } from '../../../../src-shared/format/quantities.ts';
import { CertificateDialog } from '../../server-trust/certificate-dialog.tsx';
import { TokenDialog } from '../../server-trust/token-dialog.tsx';
import { hasEnded, nameOf } from '../../../words/fetch-words.ts';

export type AskedOfTransfers =
  | { readonly kind: 'stop' | 'remove'; readonly fetches: readonly Fetch[] }
  | { readonly kind: 'token' | 'certificate'; readonly fetch: Fetch; readonly server: number };

export interface TransferDialogsProps {
  readonly asked: AskedOfTransfers | null;
  readonly onClose: () => void;
  readonly onGone: () => void;
}

/** The dialogs of the Transfers screen; at most one is open. */
export function TransferDialogs({ asked, onClose, onGone }: TransferDialogsProps) {
  const { actions } = useApp();
  const client = useQueryClient();
  if (asked === null) return null;
  const readAgain = async (): Promise<void> => client.invalidateQueries({ queryKey: ['fetches'] });
  switch (asked.kind) {
    case 'stop':
    case 'remove':
      return <StopDialog {...asked} onClose={onClose} onGone={onGone} readAgain={readAgain} />;
    case 'token':
      return (
        <TokenDialog
          serverId={asked.server}
          about={asked.fetch.message}
          onClose={onClose}
          onGiven={async () => {
            await actions.actOnFetches('resume', [asked.fetch.id]);
            await readAgain();
          }}
        />
      );
    case 'certificate':
      return (
        <CertificateDialog
          server={{ id: asked.server, name: asked.fetch.server_name, base_url: asked.fetch.base_url }}
          onClose={onClose}
          onTrusted={async () => {
            await actions.actOnFetches('resume', [asked.fetch.id]);
            await readAgain();
          }}
        />
      );
  }
}

interface StopDialogProps extends Omit<TransferDialogsProps, 'asked'> {
  readonly kind: 'stop' | 'remove';
  readonly fetches: readonly Fetch[];
  readonly readAgain: () => Promise<void>;
}

function StopDialog({ kind, fetches, onClose, onGone, readAgain }: StopDialogProps) {
  const { actions } = useApp();
  const [only] = fetches;
  const what = fetches.length === 1 && only !== undefined ? nameOf(only) : countOf(fetches.length, 'transfer');
  const open = fetches.filter((fetch) => !hasEnded(fetch)).map(({ id }) => id);
  return (
    <ConfirmDialog
      open
      title={kind === 'stop' ? `Stop ${what}?` : `Stop and remove ${what}?`}
      verb={kind === 'stop' ? 'Stop' : 'Stop and remove'}
      onConfirm={async () => {
        if (open.length > 0) await actions.actOnFetches('cancel', open);
        if (kind === 'remove') {
          await actions.actOnFetches(
            'remove',
            fetches.map(({ id }) => id),
          );
          onGone();
        }
        await readAgain();
      }}
      onClose={onClose}
    >
      <p>
        Complete files stay in the folder; incomplete ones are deleted.
        {kind === 'stop' ? ' It can be tried again later.' : ''}
      </p>
    </ConfirmDialog>
  );
}
