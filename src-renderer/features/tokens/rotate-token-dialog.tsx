import { useState } from 'react';
import type { CreatedToken, PersonalAccessToken } from '../../api/requests/types.ts';
import { useApp } from '../../context/context.ts';
import { Dialog } from '../../ui/dialogs/dialog.tsx';
import { DialogForm } from '../../ui/dialogs/form.tsx';
import { dayAfter } from '../../../src-shared/format/times.ts';
import { Note } from '../../ui/notes/note.tsx';
import { useNow } from '../../ui/hooks/use-now.ts';
import { ExpiryField, defaultDays } from './expiry-field.tsx';
import { TokenSecret } from './token-secret.tsx';

export interface RotateTokenDialogProps {
  readonly token: PersonalAccessToken | null;
  readonly onClose: () => void;
  readonly onRotated: () => void;
}

/** Replaces a token by a new one with the same name and scopes, and shows the new secret once. */
export function RotateTokenDialog({ token, onClose, onRotated }: RotateTokenDialogProps) {
  const [rotated, setRotated] = useState<CreatedToken | null>(null);
  const close = (): void => {
    setRotated(null);
    onClose();
  };
  const title = rotated === null ? `Rotate token ${token?.name ?? ''}?` : `Save the new token ${rotated.name}`;
  return (
    <Dialog open={token !== null} onClose={close} title={title} mustAnswer={rotated !== null}>
      {rotated !== null ? (
        <TokenSecret token={rotated} onSaved={close} />
      ) : token === null ? null : (
        <RotateForm
          token={token}
          onCancel={close}
          onRotated={(next) => {
            setRotated(next);
            onRotated();
          }}
        />
      )}
    </Dialog>
  );
}

interface RotateFormProps {
  readonly token: PersonalAccessToken;
  readonly onCancel: () => void;
  readonly onRotated: (token: CreatedToken) => void;
}

function RotateForm({ token, onCancel, onRotated }: RotateFormProps) {
  const { actions } = useApp();
  const now = useNow();
  const [day, setDay] = useState(() => dayAfter(defaultDays, now));
  return (
    <DialogForm
      verb="Rotate"
      onSubmit={async () => onRotated(await actions.rotateToken(token.id, day))}
      onCancel={onCancel}
    >
      <p>You get a new secret with the same name and scopes, and the old one stops working at once.</p>
      <Note kind="warn">
        <p>
          First stop everything that uses the old one. If the old secret is used after this, it counts as stolen, and
          the new one is revoked too.
        </p>
      </Note>
      <ExpiryField day={day} onChange={setDay} />
    </DialogForm>
  );
}
