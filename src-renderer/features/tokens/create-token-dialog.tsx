import { useState } from 'react';
import type { CreatedToken, NewToken } from '../../api/types.ts';
import { useApp } from '../../app/context.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Choice, Choices, Field } from '../../ui/field.tsx';
import { dayAfter } from '../../ui/format/times.ts';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { useNow } from '../../ui/use-now.ts';
import { meaningOf, offeredScopes } from './scope-words.ts';
import { TokenSecret } from './token-secret.tsx';

type ScopeValue = NewToken['scopes'][number];

export interface CreateTokenDialogProps {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly onCreated: () => void;
}

/** Makes a token and shows its secret this once. */
export function CreateTokenDialog({ open, onClose, onCreated }: CreateTokenDialogProps) {
  const [created, setCreated] = useState<CreatedToken | null>(null);
  const close = (): void => {
    setCreated(null);
    onClose();
  };
  return (
    <Dialog open={open} onClose={close} title={created === null ? 'Create a token' : `Save token ${created.name}`} mustAnswer={created !== null}>
      {created === null ? (
        <TokenForm
          onCancel={close}
          onCreated={(token) => {
            setCreated(token);
            onCreated();
          }}
        />
      ) : (
        <TokenSecret token={created} onSaved={close} />
      )}
    </Dialog>
  );
}

const spans = [
  { value: '7', word: '7 days' },
  { value: '30', word: '30 days' },
  { value: '90', word: '90 days' },
  { value: '365', word: '1 year' },
  { value: 'day', word: 'On a day' },
  { value: 'never', word: 'Never' },
] as const;

function TokenForm({ onCancel, onCreated }: { readonly onCancel: () => void; readonly onCreated: (token: CreatedToken) => void }) {
  const { actions } = useApp();
  const now = useNow();
  const [name, setName] = useState('');
  const [description, setDescription] = useState('');
  const [chosen, setChosen] = useState<readonly ScopeValue[]>(['read_measurement']);
  const [span, setSpan] = useState<(typeof spans)[number]['value']>('30');
  const [day, setDay] = useState(dayAfter(30, now));
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<unknown>(null);
  const expiresAt = span === 'never' ? null : span === 'day' ? day : dayAfter(Number(span), now);

  async function create(): Promise<void> {
    setBusy(true);
    setFailure(null);
    try {
      const text = description.trim();
      onCreated(await actions.createToken({ name: name.trim(), scopes: [...chosen], expires_at: expiresAt, ...(text === '' ? {} : { description: text }) }));
    } catch (error) {
      setFailure(error);
      setBusy(false);
    }
  }

  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        void create();
      }}
    >
      <Field label="Name" hint="The machine or the script that will use it.">
        {(wiring) => <input {...wiring} required maxLength={255} autoComplete="off" value={name} onChange={(event) => setName(event.target.value)} />}
      </Field>
      <Field label="Description, if you like">
        {(wiring) => <input {...wiring} maxLength={1000} autoComplete="off" value={description} onChange={(event) => setDescription(event.target.value)} />}
      </Field>
      <Choices legend="Scopes" hint="Give it no more than it needs.">
        {offeredScopes.map((scope) => (
          <Choice
            key={scope}
            type="checkbox"
            name="scopes"
            label={<code>{scope}</code>}
            meaning={meaningOf(scope)}
            checked={chosen.includes(scope)}
            onChange={(checked) => setChosen(checked ? [...chosen, scope] : chosen.filter((one) => one !== scope))}
          />
        ))}
      </Choices>
      <Field
        label="Expires"
        hint={
          span === 'never'
            ? 'A token that never expires has to be revoked by hand.'
            : expiresAt === null
              ? undefined
              : `On ${expiresAt}, at the start of the day in UTC.`
        }
      >
        {(wiring) => (
          <select {...wiring} value={span} onChange={(event) => setSpan(spans.find((one) => one.value === event.target.value)?.value ?? '30')}>
            {spans.map((one) => (
              <option key={one.value} value={one.value}>
                {one.word}
              </option>
            ))}
          </select>
        )}
      </Field>
      {span === 'day' ? (
        <Field label="Day">
          {(wiring) => <input {...wiring} type="date" required min={dayAfter(1, now)} value={day} onChange={(event) => setDay(event.target.value)} />}
        </Field>
      ) : null}
      {failure === null ? null : <ProblemNote error={failure} />}
      <div className="buttons">
        <Button onClick={onCancel}>Cancel</Button>
        <Button look="primary" type="submit" busy={busy} disabled={chosen.length === 0 || name.trim() === ''}>
          Create token
        </Button>
      </div>
    </form>
  );
}
