import { useState } from 'react';
import type { Account } from '../../api/requests/types.ts';
import { useSession } from '../../context/context.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Note } from '../../ui/notes/note.tsx';
import { PasswordDialog } from './password-dialog.tsx';
import { Section } from './section.tsx';

/** Whether there is a password, what that means, and the button to change it. */
export function PasswordSection({ account }: { readonly account: Account }) {
  const inWindow = useSession().door === 'window';
  const [open, setOpen] = useState(false);
  return (
    <Section
      title="Password"
      about={
        account.has_password ? 'Signs you in from a browser. Changing it ends all your other sign-ins.' : undefined
      }
    >
      {account.has_password ? null : (
        <Note kind="info">
          <p>
            <strong>This account has no password.</strong>{' '}
            {inWindow ? 'This window needs none: it acts for whoever is signed in to this computer. ' : ''}
            Without one you cannot sign in from a browser, and other software cannot ask you for access, because that is
            done in a browser.
          </p>
        </Note>
      )}
      <div className="row">
        <Button look={account.has_password ? 'plain' : 'primary'} onClick={() => setOpen(true)}>
          {account.has_password ? 'Change password' : 'Set a password'}
        </Button>
      </div>
      <PasswordDialog account={account} open={open} onClose={() => setOpen(false)} />
    </Section>
  );
}
