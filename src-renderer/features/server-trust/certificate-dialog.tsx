import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useApp } from '../../context/context.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Dialog } from '../../ui/dialogs/dialog.tsx';
import { Fingerprint } from '../../ui/figures/fingerprint.tsx';
import { NotLoaded } from '../../ui/notes/not-loaded.tsx';
import { ProblemNote } from '../../ui/notes/problem-note.tsx';
import { useSubmit } from '../../ui/hooks/use-submit.ts';
import type { RemoteServer } from '../../api/requests/types.ts';
import { Fact } from '../../ui/figures/fact.tsx';
import styles from './certificate-dialog.module.css';
import facts from '../../ui/styles/facts.module.css';

export interface CertificateDialogProps {
  readonly server: Pick<RemoteServer, 'id' | 'name' | 'base_url'>;
  readonly onClose: () => void;
  readonly onTrusted: () => Promise<unknown>;
}

/**
 * Shows a server's certificate, to be compared with the fingerprint from its owner, and trusts only
 * this certificate.
 */
export function CertificateDialog({ server, onClose, onTrusted }: CertificateDialogProps) {
  const { actions } = useApp();
  const client = useQueryClient();
  const shown = useQuery({
    queryKey: ['certificate', server.base_url],
    queryFn: async () => actions.askCertificate(server.base_url),
    staleTime: 0,
    gcTime: 0,
    retry: false,
  });
  const { busy, failure, submit } = useSubmit(async () => {
    if (shown.data === undefined) return;
    await actions.changeServer(server.id, { certificate_sha256: shown.data.sha256 });
    await actions.testServer(server.id);
    await client.invalidateQueries({ queryKey: ['servers'] });
    await onTrusted();
    onClose();
  });
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Trust the certificate of ${server.name}?`}
      description="It is not signed by an authority that this machine trusts. Compare the whole fingerprint with the one that the owner of the server gives you, by telephone or in person. Another Benchport shows it under Sharing."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" busy={busy} disabled={shown.data === undefined} onClick={submit}>
            They match, trust it
          </Button>
        </>
      }
    >
      <NotLoaded of={shown} alsoStale />
      {shown.data === undefined ? null : (
        <dl className={`${facts['plain']} ${styles['facts']}`}>
          <Fact term="SHA-256">
            <Fingerprint sha256={shown.data.sha256} />
          </Fact>
          <Fact term="Issued to">{shown.data.subject}</Fact>
          <Fact term="Valid until">{dayOf(shown.data.valid_to)}</Fact>
        </dl>
      )}
      <ProblemNote error={failure} />
    </Dialog>
  );
}

const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long' });

/** A day where it is a valid time; a certificate may contain anything. */
function dayOf(text: string): string {
  const date = new Date(text);
  return Number.isNaN(date.getTime()) ? text : day.format(date);
}
