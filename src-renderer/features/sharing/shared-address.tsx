import { useMutation } from '@tanstack/react-query';
import { CircleCheck, Radar } from 'lucide-react';
import type { Sharing } from '../../api/requests/types.ts';
import { useApp } from '../../context/context.ts';
import { Button } from '../../ui/controls/button.tsx';
import { CopyButton } from '../../ui/controls/copy-button.tsx';
import { Fingerprint } from '../../ui/figures/fingerprint.tsx';
import { Note } from '../../ui/notes/note.tsx';
import { ProblemNote } from '../../ui/notes/problem-note.tsx';
import { QrCode } from '../../ui/figures/qr-code.tsx';
import { StatusWord } from '../../ui/notes/status-word.tsx';
import { Fact } from '../../ui/figures/fact.tsx';
import facts from '../../ui/styles/facts.module.css';
import styles from './sharing-screen.module.css';

/** The address for others as text and QR code, whether it can be reached, and warnings. */
export function SharedAddress({ sharing, url }: { readonly sharing: Sharing; readonly url: string }) {
  return (
    <>
      <div className={styles['shared']}>
        <QrCode text={url} label={`QR code of ${url}`} />
        <div className={styles['beside']}>
          <dl className={facts['facts']}>
            <Fact term="Address">
              <code className={styles['url']}>{url}</code>
              <CopyButton text={url} label="Copy the address" small />
            </Fact>
            {sharing.name_url === null ? null : (
              <Fact term="By name">
                <code>{sharing.name_url}</code>
                <CopyButton text={sharing.name_url} label="Copy the address by name" small />
              </Fact>
            )}
            {sharing.name === null ? null : <Fact term="Name">{sharing.name}</Fact>}
            {sharing.certificate_sha256 === null ? null : (
              <Fact term="Certificate">
                <Fingerprint sha256={sharing.certificate_sha256} />
              </Fact>
            )}
          </dl>
          <SelfTest url={url} />
        </div>
      </div>
      {sharing.certificate_sha256 === null ? <Readable /> : <MadeHere />}
    </>
  );
}

/** Instructions for others about a certificate that no authority has signed. */
function MadeHere() {
  return (
    <Note kind="info">
      <p>
        <strong>The certificate was made on this machine and stays the same.</strong> Another Benchport shows its
        fingerprint before trusting it: compare the two. Browsers warn because no authority has signed it. Copied curl
        lines accept this machine&apos;s key and no other; programs that want a file take{' '}
        <a className={styles['link']} href="/certificate.pem" download="benchport.pem">
          the certificate
        </a>
        .
      </p>
    </Note>
  );
}

function Readable() {
  return (
    <Note kind="warn">
      <p>
        <strong>Data sent over http can be read in transit.</strong> Anyone who can listen on this network sees
        passwords, tokens and data. Share over https, or on networks that you trust, with tokens that have no more
        scopes than they need.
      </p>
    </Note>
  );
}

/**
 * Tests whether the service can reach itself at its address. A failure is listed with the other
 * problems.
 */
function SelfTest({ url }: { readonly url: string }) {
  const { actions } = useApp();
  const test = useMutation({ mutationFn: () => actions.testSharing() });
  return (
    <div className="start" key={url}>
      <Button icon={<Radar aria-hidden />} busy={test.isPending} onClick={() => test.mutate()}>
        Test the address
      </Button>
      <div role="status">
        {test.data?.reachable === true ? (
          <>
            <StatusWord tone="ok" icon={CircleCheck} word="it answers" />
            <p className="muted">{test.data.message}</p>
          </>
        ) : null}
      </div>
      <ProblemNote error={test.error} />
    </div>
  );
}
