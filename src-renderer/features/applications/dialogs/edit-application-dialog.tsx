import { useState } from 'react';
import type { OAuthApplication } from '../../../api/requests/types.ts';
import { useApp, useSession } from '../../../context/context.ts';
import { Dialog } from '../../../ui/dialogs/dialog.tsx';
import { DialogForm } from '../../../ui/dialogs/form.tsx';
import { scopesOfApplications } from '../../scopes/scope-words.ts';
import { ApplicationFields, isReady, type ApplicationDraft } from './application-fields.tsx';
import { redirectUrisOf } from './redirect-uris.ts';

export interface EditApplicationDialogProps {
  readonly application: OAuthApplication | null;
  readonly onClose: () => void;
  readonly onChanged: () => void;
}

/** Changes an application. Its client id and whether it has a secret stay. */
export function EditApplicationDialog({ application, onClose, onChanged }: EditApplicationDialogProps) {
  return (
    <Dialog open={application !== null} onClose={onClose} title={`Edit ${application?.name ?? ''}`} width="wide">
      {application === null ? null : <EditForm application={application} onClose={onClose} onChanged={onChanged} />}
    </Dialog>
  );
}

interface EditFormProps {
  readonly application: OAuthApplication;
  readonly onClose: () => void;
  readonly onChanged: () => void;
}

function EditForm({ application, onClose, onChanged }: EditFormProps) {
  const { actions } = useApp();
  const isAdmin = useSession().user?.is_admin ?? false;
  const [draft, setDraft] = useState<ApplicationDraft>({
    name: application.name,
    redirectText: application.redirect_uris.join('\n'),
    confidential: application.confidential,
    deviceGrant: application.device_grant,
    trusted: application.trusted,
    scopes: scopesOfApplications.filter((scope) => application.scopes.includes(scope)),
  });

  async function save(): Promise<void> {
    await actions.changeApplication(application.id, {
      name: draft.name.trim(),
      redirect_uris: [...redirectUrisOf(draft.redirectText)],
      device_grant: draft.deviceGrant,
      scopes: [...draft.scopes],
      ...(isAdmin ? { trusted: draft.trusted } : {}),
    });
    onChanged();
    onClose();
  }

  return (
    <DialogForm verb="Save" ready={isReady(draft)} onSubmit={save} onCancel={onClose}>
      <ApplicationFields
        draft={draft}
        isNew={false}
        onChange={(change) => setDraft((before) => ({ ...before, ...change }))}
      />
    </DialogForm>
  );
}
