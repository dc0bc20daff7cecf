import { Dialog } from '../../../ui/dialogs/dialog.tsx';
import { SecretOnce } from '../../../ui/dialogs/secret-once.tsx';

/** The secret of a webhook, shown once, with what its receiver does with it. */
export function WebhookSecret({
  name,
  secret,
  onSaved,
}: {
  readonly name: string;
  readonly secret: string;
  readonly onSaved: () => void;
}) {
  return (
    <Dialog open onClose={onSaved} title={`Save the secret of ${name}`} mustAnswer>
      <SecretOnce secret={secret} what="secret" isSealed onSaved={onSaved}>
        <p>
          Give it to the receiver: each message is signed with it, as Standard Webhooks says. A library of theirs checks
          the headers <code>webhook-id</code>, <code>webhook-timestamp</code> and <code>webhook-signature</code>.
        </p>
      </SecretOnce>
    </Dialog>
  );
}
