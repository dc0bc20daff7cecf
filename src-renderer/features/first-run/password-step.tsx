import { useQuery } from '@tanstack/react-query';
import { CircleCheck } from 'lucide-react';
import { useState } from 'react';
import { useApp } from '../../context/context.ts';
import { Button } from '../../ui/controls/button.tsx';
import { NotLoaded } from '../../ui/notes/not-loaded.tsx';
import { StatusWord } from '../../ui/notes/status-word.tsx';
import { PasswordDialog } from '../account/password-dialog.tsx';

/** Whether the owner's account has a password, and why it needs one. */
export function PasswordStep() {
  const { data, error, refetch } = useQuery(useApp().queries.account());
  const [open, setOpen] = useState(false);
  if (data === undefined) return <NotLoaded of={{ data, error, refetch }} />;
  return (
    <>
      {data.has_password ? <StatusWord tone="ok" icon={CircleCheck} word="Password set" /> : null}
      <p>
        This window needs no password: it acts for whoever is signed in to this computer. You need one to sign in from a
        browser, to let other software ask you for access, and to share on the local network.
      </p>
      {data.has_password ? null : (
        <div>
          <Button onClick={() => setOpen(true)}>Set a password</Button>
        </div>
      )}
      <PasswordDialog account={data} open={open} onClose={() => setOpen(false)} />
    </>
  );
}
