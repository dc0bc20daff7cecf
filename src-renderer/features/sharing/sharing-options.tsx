import { useState } from 'react';
import type { Sharing } from '../../api/requests/types.ts';
import { Button } from '../../ui/controls/button.tsx';
import { CommandBlock } from '../../ui/controls/command-block.tsx';
import { Choice } from '../../ui/controls/field.tsx';
import { ProblemNote } from '../../ui/notes/problem-note.tsx';
import { Section } from '../account/section.tsx';
import styles from './sharing-screen.module.css';
import { addressChoices } from './sharing-words.ts';
import { useSharing, type SharingPart } from './use-sharing.ts';
import { TextField, SelectField } from '../../ui/controls/text-field.tsx';

/** Port and address, announcement on the network, and the firewall. */
export function SharingOptions() {
  const { part } = useSharing();
  // Remounted when the port was changed elsewhere: the typed text is then outdated.
  return part === null ? null : <Options key={part.sharing.port} {...part} />;
}

function Options({ sharing, busy, failure, onChange }: SharingPart) {
  const [port, setPort] = useState(String(sharing.port));
  const number = Number(port);
  const sound = /^\d{1,5}$/.test(port) && number >= 1 && number <= 65_535;
  return (
    <Section title="Where and how">
      <form
        className={styles['options']}
        onSubmit={(event) => {
          event.preventDefault();
          if (sound) void onChange({ port: number });
        }}
      >
        <SelectField
          label="Address"
          hint={
            sharing.wanted
              ? 'A change ends running transfers over the network.'
              : 'The address on the network that others use.'
          }
          value={sharing.address ?? ''}
          disabled={busy}
          options={addressChoices(sharing)}
          onChange={(address) => void onChange({ address: address === '' ? null : address })}
        />
        <TextField
          label="Port"
          {...(sound ? {} : { error: 'A number from 1 to 65535.' })}
          inputMode="numeric"
          value={port}
          maxLength={5}
          onChange={setPort}
        />
        <Button type="submit" disabled={!sound || number === sharing.port} busy={busy}>
          Use this port
        </Button>
      </form>
      <Choice
        name="tls"
        label="Encrypt network traffic (https)"
        meaning={`Uses a certificate made on this machine, which browsers warn about. Without it, tokens and data can be read in transit.${
          sharing.wanted ? ' A change ends running transfers, and others need the new address.' : ''
        }`}
        checked={sharing.tls}
        disabled={busy}
        onChange={(tls) => void onChange({ tls })}
      />
      <Choice
        name="announce"
        label="Announce it on the network"
        meaning="Other Benchports then find it automatically (multicast DNS). This works only within one network; the address also works from others."
        checked={sharing.announce}
        disabled={busy}
        onChange={(announce) => void onChange({ announce })}
      />
      <ProblemNote error={failure} />
      <FirewallHint firewall={sharing.firewall} />
    </Section>
  );
}

function FirewallHint({ firewall }: Pick<Sharing, 'firewall'>) {
  if (firewall === null) return null;
  if (firewall.command === null) return <p className="muted">{firewall.text}</p>;
  return <CommandBlock about={firewall.text} command={firewall.command} label="Copy the command" />;
}
