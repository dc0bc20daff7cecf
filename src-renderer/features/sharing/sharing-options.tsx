import { useState } from 'react';
import type { Sharing, SharingChange } from '../../api/types.ts';
import { Button } from '../../ui/button.tsx';
import { Choice, Field } from '../../ui/field.tsx';
import styles from './sharing-screen.module.css';
import { addressChoices } from './sharing-words.ts';

interface SharingOptionsProps {
  readonly sharing: Sharing;
  readonly busy: boolean;
  readonly onChange: (change: SharingChange) => Promise<void>;
}

/** Where it listens, and whether it tells its name. */
export function SharingOptions({ sharing, busy, onChange }: SharingOptionsProps) {
  const [port, setPort] = useState(String(sharing.port));
  const number = Number(port);
  const sound = /^\d{1,5}$/.test(port) && number >= 1 && number <= 65_535;
  return (
    <>
      <form
        className={styles['options']}
        onSubmit={(event) => {
          event.preventDefault();
          if (sound) void onChange({ port: number });
        }}
      >
        <Field label="Address" hint={sharing.wanted ? 'A change ends what is being sent over the network.' : 'Of the network that others are on.'}>
          {(wiring) => (
            <select
              {...wiring}
              value={sharing.address ?? ''}
              disabled={busy}
              onChange={(event) => void onChange({ address: event.target.value === '' ? null : event.target.value })}
            >
              {addressChoices(sharing).map(({ value, label }) => (
                <option key={value} value={value}>
                  {label}
                </option>
              ))}
            </select>
          )}
        </Field>
        <Field label="Port" {...(sound ? {} : { error: 'A number from 1 to 65535.' })}>
          {(wiring) => <input {...wiring} inputMode="numeric" value={port} maxLength={5} onChange={(event) => setPort(event.target.value)} />}
        </Field>
        <Button type="submit" disabled={!sound || number === sharing.port} busy={busy}>
          Use this port
        </Button>
      </form>
      <Choice
        type="checkbox"
        name="announce"
        label="Tell its name on the network"
        meaning="Other Benchports then find it by themselves (multicast DNS). Names do not cross from one network to the next; the address does."
        checked={sharing.announce}
        disabled={busy}
        onChange={(announce) => void onChange({ announce })}
      />
    </>
  );
}
