import { useQueryClient } from '@tanstack/react-query';
import { KeySquare, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { Account, WebauthnKey } from '../../api/requests/types.ts';
import { useApp } from '../../context/context.ts';
import { Button, IconButton } from '../../ui/controls/button.tsx';
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog.tsx';
import { Moment } from '../../ui/figures/moment.tsx';
import { Note } from '../../ui/notes/note.tsx';
import { ProblemNote } from '../../ui/notes/problem-note.tsx';
import { useSubmit } from '../../ui/hooks/use-submit.ts';
import styles from './account-screen.module.css';
import { AddKeyDialog } from './add-key-dialog.tsx';
import { keysUnsupported } from './create-key.ts';
import { Section } from './section.tsx';

/** Security keys and passkeys as a second factor, where this address allows them. */
export function SecurityKeysSection({ account }: { readonly account: Account }) {
  const { actions, desktop } = useApp();
  const client = useQueryClient();
  const [adding, setAdding] = useState(false);
  const [removing, setRemoving] = useState<WebauthnKey | null>(null);
  const refresh = (): Promise<void> => client.invalidateQueries({ queryKey: ['account'] });
  const inBrowser = useSubmit(async () => desktop?.openInBrowser('/ui/account'));
  const keys = account.webauthn_keys;
  const unavailable =
    desktop !== null
      ? 'Add security keys in a browser: they belong to the address that they sign in to, and this window has none.'
      : (account.webauthn_unavailable ?? keysUnsupported());

  return (
    <Section
      title="Security keys"
      about={
        account.has_password
          ? 'A key that you touch, or the fingerprint reader of this device, instead of the code. It cannot be used on a page that only looks like this one.'
          : 'A key that you touch, asked for after the password. Set a password first.'
      }
    >
      {keys.length === 0 ? null : (
        <ul className={styles['rows']} aria-label="Security keys">
          {keys.map((key) => (
            <li key={key.id} className={styles['row']}>
              <KeySquare aria-hidden />
              <span className={styles['what']}>
                <span>{key.name}</span>
                <span className="remark">
                  added <Moment at={key.created_at} />
                  {', '}
                  {key.last_used_at === null ? (
                    'never used'
                  ) : (
                    <>
                      last used <Moment at={key.last_used_at} />
                    </>
                  )}
                </span>
              </span>
              <IconButton label={`Remove ${key.name}`} icon={<Trash2 />} onClick={() => setRemoving(key)} />
            </li>
          ))}
        </ul>
      )}
      {unavailable === null ? null : (
        <Note kind="info">
          <p>{unavailable}</p>
        </Note>
      )}
      <div className="row">
        {desktop === null ? (
          <Button disabled={unavailable !== null || !account.has_password} onClick={() => setAdding(true)}>
            Add a security key
          </Button>
        ) : (
          <Button disabled={!account.has_password} busy={inBrowser.busy} onClick={inBrowser.submit}>
            Open this page in the browser
          </Button>
        )}
      </div>
      <ProblemNote error={inBrowser.failure} />
      <AddKeyDialog
        open={adding}
        taken={keys.map((key) => key.name)}
        onClose={() => setAdding(false)}
        onAdded={refresh}
      />
      <ConfirmDialog
        open={removing !== null}
        title={`Remove security key ${removing?.name ?? ''}?`}
        verb="Remove"
        onConfirm={async () => {
          if (removing !== null) await actions.removeWebauthnKey(removing.id);
          await refresh();
        }}
        onClose={() => setRemoving(null)}
      >
        <p>
          You can no longer sign in with it.
          {keys.length === 1 && !account.totp
            ? ' It is your last second factor: from then on the password alone is enough.'
            : ''}
        </p>
      </ConfirmDialog>
    </Section>
  );
}
