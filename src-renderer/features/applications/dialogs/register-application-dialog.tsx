import { useState } from 'react';
import type { CreatedApplication } from '../../../api/requests/types.ts';
import { useApp } from '../../../context/context.ts';
import { Dialog } from '../../../ui/dialogs/dialog.tsx';
import { DialogForm } from '../../../ui/dialogs/form.tsx';
import { ApplicationFields, isReady, type ApplicationDraft } from './application-fields.tsx';
import { ApplicationSecret } from './application-secret.tsx';
import { redirectUrisOf } from './redirect-uris.ts';

export interface RegisterApplicationDialogProps {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly onRegistered: (application: CreatedApplication) => void;
}

/** Registers an application and shows its secret once. */
export function RegisterApplicationDialog({ open, onClose, onRegistered }: RegisterApplicationDialogProps) {
  const [registered, setRegistered] = useState<CreatedApplication | null>(null);
  const close = (): void => {
    setRegistered(null);
    onClose();
  };
  return (
    <Dialog
      open={open}
      onClose={close}
      title={registered === null ? 'Register an application' : `${registered.name} is registered`}
      mustAnswer={registered !== null && registered.client_secret !== null}
      width="wide"
    >
      {registered === null ? (
        <RegisterForm
          onCancel={close}
          onRegistered={(application) => {
            setRegistered(application);
            onRegistered(application);
          }}
        />
      ) : (
        <ApplicationSecret application={registered} secret={registered.client_secret} onSaved={close} />
      )}
    </Dialog>
  );
}

interface RegisterFormProps {
  readonly onCancel: () => void;
  readonly onRegistered: (application: CreatedApplication) => void;
}

function RegisterForm({ onCancel, onRegistered }: RegisterFormProps) {
  const { actions } = useApp();
  const [draft, setDraft] = useState<ApplicationDraft>({
    name: '',
    redirectText: '',
    confidential: true,
    deviceGrant: false,
    trusted: false,
    scopes: ['read_measurement'],
  });

  async function register(): Promise<void> {
    const { name, redirectText, confidential, deviceGrant, trusted, scopes } = draft;
    onRegistered(
      await actions.createApplication({
        name: name.trim(),
        redirect_uris: [...redirectUrisOf(redirectText)],
        confidential,
        device_grant: deviceGrant,
        scopes: [...scopes],
        ...(trusted ? { trusted } : {}),
      }),
    );
  }

  return (
    <DialogForm verb="Register" ready={isReady(draft)} onSubmit={register} onCancel={onCancel}>
      <ApplicationFields draft={draft} isNew onChange={(change) => setDraft((before) => ({ ...before, ...change }))} />
    </DialogForm>
  );
}
