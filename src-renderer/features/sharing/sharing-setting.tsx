import { useQuery, useQueryClient } from '@tanstack/react-query';
import { CircleAlert, Globe, Lock } from 'lucide-react';
import { useState } from 'react';
import { useApp } from '../../context/context.ts';
import { Button } from '../../ui/controls/button.tsx';
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog.tsx';
import { countOf } from '../../../src-shared/format/quantities.ts';
import { Note } from '../../ui/notes/note.tsx';
import { NotLoaded } from '../../ui/notes/not-loaded.tsx';
import { ProblemNote } from '../../ui/notes/problem-note.tsx';
import { StatusWord } from '../../ui/notes/status-word.tsx';
import { PasswordDialog } from '../account/password-dialog.tsx';
import { Section } from '../account/section.tsx';
import { SharedAddress } from './shared-address.tsx';
import styles from './sharing-screen.module.css';
import { sharingSummary } from './sharing-words.ts';
import { useSharing, type SharingPart } from './use-sharing.ts';

const icons = { ok: Globe, bad: CircleAlert, quiet: Lock } as const;

/** The switch, problems that prevent sharing, and the address for others. */
export function SharingSetting() {
  const { part, error, refetch } = useSharing();
  if (part === null) {
    return error === null ? null : (
      <Section title="On the local network">
        <NotLoaded of={{ data: undefined, error, refetch }} />
      </Section>
    );
  }
  const { sharing, busy, failure, onChange } = part;
  const { tone, word } = sharingSummary(sharing);
  const Icon = icons[tone];
  return (
    <Section
      title="On the local network"
      state={<StatusWord tone={tone} icon={Icon} word={word} />}
      about="Off: only this machine can reach this service. On: others on the network can reach its pages and downloads, each with their own account or token."
    >
      {sharing.needs_password ? <PasswordFirst /> : <SharingSwitch sharing={sharing} busy={busy} onChange={onChange} />}
      <ProblemNote error={failure} />
      <Trouble sharing={sharing} busy={busy} onChange={onChange} />
      {sharing.url === null ? null : <SharedAddress sharing={sharing} url={sharing.url} />}
    </Section>
  );
}

function SharingSwitch({ sharing, busy, onChange }: Omit<SharingPart, 'failure'>) {
  const sending = useQuery(useApp().queries.outgoing()).data?.length ?? 0;
  const [asking, setAsking] = useState(false);
  return (
    <>
      <label className={styles['switch']}>
        <input
          type="checkbox"
          // oxlint-disable-next-line jsx-a11y/role-has-required-aria-props -- The checked state of a checkbox is implicit.
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
      <ConfirmDialog
        open={asking}
        title="Stop sharing?"
        verb="Stop sharing"
        onConfirm={() => onChange({ on: false })}
        onClose={() => setAsking(false)}
      >
        <p>{countOf(sending, 'transfer')} under way. Those over the network end.</p>
      </ConfirmDialog>
    </>
  );
}

/** Sharing needs a password, because others can then open the sign-in page. */
function PasswordFirst() {
  const client = useQueryClient();
  const account = useQuery(useApp().queries.account()).data;
  const [open, setOpen] = useState(false);
  return (
    <Note kind="info">
      <p>
        <strong>Your account needs a password first.</strong> This window needs none, but once others can reach the
        service, nobody else must be able to use your account.
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
            void client.invalidateQueries({ queryKey: ['sharing'] });
          }}
        />
      )}
    </Note>
  );
}

/** Problems that prevent sharing although it is switched on, each with its remedy. */
function Trouble({ sharing, busy, onChange }: Omit<SharingPart, 'failure'>) {
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
