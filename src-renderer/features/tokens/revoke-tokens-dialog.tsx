import type { ListedToken } from '../../api/requests/types.ts';
import { useApp } from '../../context/context.ts';
import { runForMany } from '../../context/run-for-many.ts';
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog.tsx';
import { countOf } from '../../../src-shared/format/quantities.ts';
import { nameWithOwner, ownersOf } from './token-owners.ts';

export interface RevokeTokensDialogProps {
  /** The tokens to revoke; empty while the dialog is closed. */
  readonly tokens: readonly ListedToken[];
  /** Whether the question names the owners. */
  readonly withOwner?: boolean;
  readonly onClose: () => void;
  /** Called after all were tried. */
  readonly onDone: () => Promise<unknown>;
}

/** Confirms revoking tokens. A single failure stays in the dialog; several tokens run as a job. */
export function RevokeTokensDialog({ tokens, withOwner = false, onClose, onDone }: RevokeTokensDialogProps) {
  const app = useApp();
  const [first] = tokens;
  const one = tokens.length === 1 && first !== undefined ? first : null;
  const revokeAll = async (): Promise<void> => {
    await runForMany(app, {
      items: tokens,
      nameOf: (token) => (withOwner ? nameWithOwner(token) : token.name),
      noun: 'token',
      verbs: { doing: 'Revoking', done: 'revoked' },
      run: async ({ id }) => app.actions.revokeToken(id),
    });
    await onDone();
  };
  return (
    <ConfirmDialog
      open={tokens.length > 0}
      title={
        one === null
          ? `Revoke ${countOf(tokens.length, 'token')}?`
          : `Revoke token ${withOwner ? nameWithOwner(one) : one.name}?`
      }
      verb="Revoke"
      onConfirm={async () => {
        if (one === null) return void revokeAll();
        await app.actions.revokeToken(one.id);
        return void (await onDone());
      }}
      onClose={onClose}
    >
      {withOwner && one === null && tokens.length > 0 ? <p>They belong to {ownersOf(tokens)}.</p> : null}
      <p>
        Everything that uses {one === null ? 'them' : 'it'} stops working at once; transfers that run with{' '}
        {one === null ? 'them' : 'it'} end within two seconds. A revoked token cannot be brought back.
      </p>
    </ConfirmDialog>
  );
}
