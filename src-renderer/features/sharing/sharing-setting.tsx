import { useQuery, useQueryClient } from '@tanstack/react-query';
import { CircleAlert, Globe, Lock } from 'lucide-react';
import { useState } from 'react';
import type { Sharing, SharingChange } from '../../api/types.ts';
import { useApp } from '../../app/context.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { countOf } from '../../ui/format/quantities.ts';
import { Note } from '../../ui/note.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { StatusWord } from '../../ui/status-word.tsx';
import { PasswordDialog } from '../account/password-dialog.tsx';
import { Section } from '../account/section.tsx';
import { SharedAddress } from './shared-address.tsx';
import { SharingOptions } from './sharing-options.tsx';
import styles from './sharing-screen.module.css';
import { sharingSummary } from './sharing-words.ts';

const icons = { ok: Globe, bad: CircleAlert, quiet: Lock } as const;

/** The switch, what keeps it from working, the address for others, and where it listens. */
export function SharingSetting() {
  const { queries, actions } = useApp();
  const client = useQueryClient();
  const { data, error, refetch } = useQuery(queries.sharing());
  const [failure, setFailure] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);

  async function change(wish: SharingChange): Promise<void> {
    setBusy(true);
    setFailure(null);
    try {
      client.setQueryData(queries.sharing().queryKey, await actions.changeSharing(wish));
      await client.invalidateQueries({ queryKey: ['service'] });
    } catch (reason) {
      setFailure(reason);
    } finally {
      setBusy(false);
    }
  }

  if (data === undefined) {
    return error === null ? null : (
      <Section title="On the local network">
        <ProblemNote error={error} action={<Button onClick={() => void refetch()}>Try again</Button>} />
      </Section>
    );
  }
  const { tone, word } = sharingSummary(data);
  const Icon = icons[tone];
  return (
    <Section
      title="On the local network"
      state={
        <StatusWord tone={tone} icon={<Icon aria-hidden />}>
          {word}
        </StatusWord>
      }
      about="Off, only this machine reaches this service. On, others on the network reach its pages and downloads, each with an account or a token of theirs."
    >
      {data.needs_password ? <PasswordFirst onSet={() => void refetch()} /> : <SharingSwitch sharing={data} busy={busy} onChange={change} />}
      {failure === null ? null : <ProblemNote error={failure} />}
      <Trouble sharing={data} busy={busy} onChange={change} />
      {data.url === null ? null : <SharedAddress sharing={data} url={data.url} />}
      <SharingOptions key={data.port} sharing={data} busy={busy} onChange={change} />
    </Section>
  );
}

interface ChangeProps {
  readonly sharing: Sharing;
  readonly busy: boolean;
  readonly onChange: (change: SharingChange) => Promise<void>;
}

function SharingSwitch({ sharing, busy, onChange }: ChangeProps) {
  const sending = useQuery(useApp().queries.outgoing()).data?.length ?? 0;
  const [asking, setAsking] = useState(false);
  return (
    <>
      <label className={styles['switch']}>
        <input
          type="checkbox"
          // oxlint-disable-next-line jsx-a11y/role-has-required-aria-props -- A checkbox says by itself whether it is on.
          role="switch"
          checked={sharing.wanted}
          disabled={busy}
          onChange={(event) => {
            if (event.target.checked || sending === 0) void onChange({ on: event.target.checked });
            else setAsking(true);
          }}
        />
        Share on the local network
      </label>
      <ConfirmDialog open={asking} title="Stop sharing?" verb="Stop sharing" onConfirm={() => onChange({ on: false })} onClose={() => setAsking(false)}>
        <p>{countOf(sending, 'transfer')} under way. Those that go over the network end.</p>
      </ConfirmDialog>
    </>
  );
}

/** Others who find the service must meet a locked door. */
function PasswordFirst({ onSet }: { readonly onSet: () => void }) {
  const account = useQuery(useApp().queries.account()).data;
  const [open, setOpen] = useState(false);
  return (
    <Note kind="info">
      <p>
        <strong>Your account needs a password first.</strong> This window needs none, but once others reach the service, your account must be one that nobody
        else can use.
      </p>
      <div className={styles['act']}>
        <Button look="primary" disabled={account === undefined} onClick={() => setOpen(true)}>
          Set a password
        </Button>
      </div>
      {account === undefined ? null : (
        <PasswordDialog
          account={account}
          open={open}
          onClose={() => {
            setOpen(false);
            onSet();
          }}
        />
      )}
    </Note>
  );
}

/** What keeps others out although it is switched on, and the one thing to do. */
function Trouble({ sharing, busy, onChange }: ChangeProps) {
  const { problem, message, free_port: port } = sharing;
  if (problem === null || problem === 'needs-password') return null;
  return (
    <div role="alert">
      <Note kind="bad">
        <p>{message}</p>
        {port === null ? null : (
          <div className={styles['act']}>
            <Button busy={busy} onClick={() => void onChange({ port })}>
              Use port {port}
            </Button>
          </div>
        )}
      </Note>
    </div>
  );
}
