import { useState } from 'react';
import type { OAuthApplication } from '../../../api/requests/types.ts';
import { useApp } from '../../../context/context.ts';
import { Dialog } from '../../../ui/dialogs/dialog.tsx';
import { DialogForm } from '../../../ui/dialogs/form.tsx';
import { ApplicationSecret } from './application-secret.tsx';

/** Replaces the secret of an application and shows the new one once. */
export function RenewSecretDialog({
  application,
  onClose,
}: {
  readonly application: OAuthApplication | null;
  readonly onClose: () => void;
}) {
  const { actions } = useApp();
  const [secret, setSecret] = useState<string | null>(null);
  const name = application?.name ?? '';
  const close = (): void => {
    setSecret(null);
    onClose();
  };
  return (
    <Dialog
      open={application !== null}
      onClose={close}
      title={secret === null ? `Renew the secret of ${name}?` : `Save the new secret of ${name}`}
      mustAnswer={secret !== null}
      width="wide"
    >
      {application === null ? null : secret !== null ? (
        <ApplicationSecret application={application} secret={secret} onSaved={close} />
      ) : (
        <DialogForm
          verb="Renew"
          onSubmit={async () => setSecret((await actions.renewSecret(application.id)).secret)}
          onCancel={close}
        >
          <p>
            The old secret stops working at once: until the program has the new one, it cannot sign anybody in or
            refresh a token. Access that users have given is kept.
          </p>
        </DialogForm>
      )}
    </Dialog>
  );
}
