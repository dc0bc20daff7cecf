import type { OAuthApplication } from '../../../api/requests/types.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { DialogFoot } from '../../../ui/dialogs/dialog-foot.tsx';
import { SecretOnce } from '../../../ui/dialogs/secret-once.tsx';
import { useTakeFocus } from '../../../ui/hooks/use-take-focus.ts';
import { ApplicationSamples } from './application-samples.tsx';
import { ClientId } from './client-id.tsx';

export interface ApplicationSecretProps {
  readonly application: OAuthApplication;
  /** Null for a public application, which has none. */
  readonly secret: string | null;
  readonly onSaved: () => void;
}

/** The client id for the program, its secret (shown once), and sample commands. */
export function ApplicationSecret({ application, secret, onSaved }: ApplicationSecretProps) {
  if (secret === null) return <PublicApplication application={application} onDone={onSaved} />;
  return (
    <SecretOnce secret={secret} what="client secret" onSaved={onSaved}>
      <ClientId id={application.client_id} />
      <ApplicationSamples application={application} />
    </SecretOnce>
  );
}

function PublicApplication({
  application,
  onDone,
}: {
  readonly application: OAuthApplication;
  readonly onDone: () => void;
}) {
  const place = useTakeFocus<HTMLDivElement>();
  return (
    <div className="stack" ref={place}>
      <p>It is a public application and has no secret: the client id is all that the program needs.</p>
      <ClientId id={application.client_id} />
      <ApplicationSamples application={application} />
      <DialogFoot>
        <Button look="primary" onClick={onDone}>
          Done
        </Button>
      </DialogFoot>
    </div>
  );
}
