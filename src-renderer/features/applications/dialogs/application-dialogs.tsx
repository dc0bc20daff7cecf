import type { AuthorizedApplication, OAuthApplication } from '../../../api/requests/types.ts';
import { useApp } from '../../../context/context.ts';
import { ConfirmDialog } from '../../../ui/dialogs/confirm-dialog.tsx';
import { countOf } from '../../../../src-shared/format/quantities.ts';
import { nameOf } from '../authorized/authorized-words.ts';
import { EditApplicationDialog } from './edit-application-dialog.tsx';
import { RegisterApplicationDialog } from './register-application-dialog.tsx';
import { RenewSecretDialog } from './renew-secret-dialog.tsx';

export type OpenDialog =
  | { readonly kind: 'register' }
  | { readonly kind: 'edit' | 'renew' | 'delete'; readonly application: OAuthApplication }
  | { readonly kind: 'revoke'; readonly authorized: AuthorizedApplication };

export interface ApplicationDialogsProps {
  readonly dialog: OpenDialog | null;
  readonly onClose: () => void;
  readonly onChanged: () => void;
  readonly onDeleted: () => void;
}

/** The dialogs of the Applications screen; one at a time. */
export function ApplicationDialogs({ dialog, onClose, onChanged, onDeleted }: ApplicationDialogsProps) {
  const { actions } = useApp();
  const about = (kind: 'edit' | 'renew' | 'delete'): OAuthApplication | null =>
    dialog?.kind === kind ? dialog.application : null;
  const deleting = about('delete');
  const revoking = dialog?.kind === 'revoke' ? dialog.authorized : null;
  return (
    <>
      <RegisterApplicationDialog open={dialog?.kind === 'register'} onClose={onClose} onRegistered={onChanged} />
      <EditApplicationDialog application={about('edit')} onClose={onClose} onChanged={onChanged} />
      <RenewSecretDialog application={about('renew')} onClose={onClose} />
      <ConfirmDialog
        open={deleting !== null}
        title={`Delete application ${deleting?.name ?? ''}?`}
        verb="Delete"
        onConfirm={async () => {
          if (deleting !== null) await actions.removeApplication(deleting.id);
          onChanged();
          onDeleted();
        }}
        onClose={onClose}
      >
        <p>
          It can no longer sign anybody in, and all its tokens end at once
          {deleting === null || deleting.authorizations === 0
            ? ''
            : `: ${countOf(deleting.authorizations, 'user')} can no longer use it`}
          . This cannot be undone; registered again, it gets another client id.
        </p>
      </ConfirmDialog>
      <ConfirmDialog
        open={revoking !== null}
        title={`Revoke ${revoking === null ? '' : nameOf(revoking)}?`}
        verb="Revoke"
        onConfirm={async () => {
          if (revoking !== null) await actions.revokeAuthorization(revoking.application?.id ?? null);
          onChanged();
        }}
        onClose={onClose}
      >
        <p>
          All its tokens for your account end at once, and transfers that use them within two seconds. To act for you
          again, it has to ask you again.
        </p>
      </ConfirmDialog>
    </>
  );
}
