import { Eye, EyeOff } from 'lucide-react';
import type { ClientKey } from '../../../api/requests/types.ts';
import { useApp } from '../../../context/context.ts';
import { usePublicKeyPin, useReachable } from '../../../context/reachable.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { CopyButton } from '../../../ui/controls/copy-button.tsx';
import { copySecret } from '../../../ui/controls/copy-secret.ts';
import { Note } from '../../../ui/notes/note.tsx';
import styles from './keys.module.css';
import { isLoopbackUrl, maskDsn } from '../../../words/mask-dsn.ts';

export interface DsnFieldsProps {
  readonly clientKey: ClientKey;
  readonly revealed: boolean;
  readonly onReveal: (revealed: boolean) => void;
}

/** Both forms of a key's DSN, hidden until revealed. Copying works without revealing. */
export function DsnFields({ clientKey, revealed, onReveal }: DsnFieldsProps) {
  const reachable = useReachable();
  const pin = usePublicKeyPin();
  const shared = reachable(clientKey.sentry_dsn);
  return (
    <>
      <Dsn
        what="DSN"
        about={`DSN of client key ${clientKey.id}`}
        dsn={clientKey.sentry_dsn}
        publicKey={clientKey.public_key}
        revealed={revealed}
      />
      <details>
        <summary>Deprecated form</summary>
        <Dsn
          what="deprecated DSN"
          about="For clients and job runners that say the DSN lacks a private key"
          dsn={clientKey.sentry_dsn_deprecated}
          publicKey={clientKey.public_key}
          revealed={revealed}
        />
      </details>
      <div>
        <Button icon={revealed ? <EyeOff aria-hidden /> : <Eye aria-hidden />} onClick={() => onReveal(!revealed)}>
          {revealed ? 'Hide' : 'Reveal'}
        </Button>
      </div>
      {shared === clientKey.sentry_dsn ? null : (
        <Note kind="info">
          <p>
            It uses the address on the network, which works only while measurements are shared.
            {pin === null ? '' : ' Programs there have to trust its certificate, which is at /certificate.pem.'}
          </p>
        </Note>
      )}
      {isLoopbackUrl(shared) ? (
        <Note kind="info">
          <p>
            It uses a loopback address, so only programs on this machine can reach it. For others, set the base URL of
            the service first.
          </p>
        </Note>
      ) : null}
    </>
  );
}

interface DsnProps {
  readonly what: string;
  readonly about: string;
  readonly dsn: string;
  readonly publicKey: string;
  readonly revealed: boolean;
}

/** One form of a DSN, visible or hidden, with a copy button. */
export function Dsn({ what, about, dsn: own, publicKey, revealed }: DsnProps) {
  const { desktop } = useApp();
  const dsn = useReachable()(own);
  const copy = async (text: string): Promise<void> => {
    await copySecret(text, desktop);
  };
  return (
    <div className={styles['dsn']}>
      <span className={styles['about']}>{about}</span>
      <code>{revealed ? dsn : maskDsn(dsn, publicKey)}</code>
      <CopyButton text={dsn} copy={copy} label={`Copy the ${what}`} />
    </div>
  );
}
