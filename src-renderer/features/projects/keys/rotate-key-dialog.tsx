import { CircleCheck, KeyRound } from 'lucide-react';
import { useState } from 'react';
import type { ClientKey, Project } from '../../../api/requests/types.ts';
import { useApp } from '../../../context/context.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Dialog } from '../../../ui/dialogs/dialog.tsx';
import { formatRelative } from '../../../../src-shared/format/times.ts';
import { Note } from '../../../ui/notes/note.tsx';
import { ProblemNote } from '../../../ui/notes/problem-note.tsx';
import { StatusWord } from '../../../ui/notes/status-word.tsx';
import { useNow } from '../../../ui/hooks/use-now.ts';
import { useSubmit } from '../../../ui/hooks/use-submit.ts';
import { Dsn } from './dsn-fields.tsx';
import { RadioChoices } from '../../../ui/controls/radio-choices.tsx';
import styles from './keys.module.css';

export interface RotateKeyDialogProps {
  readonly open: boolean;
  readonly project: Project;
  readonly keys: readonly ClientKey[];
  readonly onClose: () => void;
  readonly onChanged: () => Promise<void>;
  readonly onDelete: (key: ClientKey) => void;
}

/** Replaces a client key in three API calls: create, list, delete. */
export function RotateKeyDialog({ open, onClose, ...rest }: RotateKeyDialogProps) {
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title="Rotate a client key"
      width="wide"
      footer={<Button onClick={onClose}>Close</Button>}
    >
      <Steps {...rest} />
    </Dialog>
  );
}

function Steps({ project, keys, onChanged, onDelete }: Omit<RotateKeyDialogProps, 'open' | 'onClose'>) {
  const { actions } = useApp();
  const now = useNow();
  const [newId, setNewId] = useState<number | null>(null);
  const [oldId, setOldId] = useState<number | null>(null);
  const creation = useSubmit(async () => {
    const key = await actions.createClientKey(project.path);
    await onChanged();
    setNewId(key.id);
  });
  const fresh = keys.find((key) => key.id === newId);
  const others = keys.filter((key) => key.id !== newId);
  const old = others.find((key) => key.id === oldId);
  const newest = keys.length > 1 ? keys.at(-1) : undefined;
  const stillUsed =
    old !== undefined && old.last_used_at !== null && fresh !== undefined && old.last_used_at > fresh.created_at;

  return (
    <ol className={styles['steps']}>
      <li>
        <h3>Create a new key</h3>
        <div>
          {fresh === undefined ? (
            <>
              <Button look="primary" icon={<KeyRound aria-hidden />} busy={creation.busy} onClick={creation.submit}>
                Create key
              </Button>
              {newest === undefined ? null : (
                <Button onClick={() => setNewId(newest.id)}>Continue with key {newest.id}, which already exists</Button>
              )}
              <ProblemNote error={creation.failure} />
            </>
          ) : (
            <div className={styles['wide']}>
              <Dsn
                what="new DSN"
                about="Give programs this DSN instead of the old one. You can close this and continue later."
                dsn={fresh.sentry_dsn}
                publicKey={fresh.public_key}
                revealed={false}
              />
            </div>
          )}
        </div>
      </li>
      <li>
        <h3>Check the list, and note the old key</h3>
        <div>
          {fresh === undefined ? (
            <p>Available once there is a new key.</p>
          ) : (
            <>
              <StatusWord
                tone="ok"
                icon={CircleCheck}
                word={
                  <>
                    Key {fresh.id} is in the list
                    {fresh.last_used_at === null
                      ? ', and not yet used'
                      : `, last used ${formatRelative(fresh.last_used_at, now)}`}
                  </>
                }
              />
              {others.length === 0 ? (
                <p>It is the only key, so there is nothing to delete.</p>
              ) : (
                <RadioChoices
                  legend="The old key"
                  name="old"
                  value={oldId}
                  choices={others.map((key) => ({
                    value: key.id,
                    label: `Key ${key.id}`,
                    meaning:
                      key.last_used_at === null ? 'Never used' : `Last used ${formatRelative(key.last_used_at, now)}`,
                  }))}
                  onChange={setOldId}
                />
              )}
            </>
          )}
        </div>
      </li>
      <li>
        <h3>Delete the old key</h3>
        <div>
          {old === undefined ? (
            <p>
              {fresh === undefined || others.length > 0
                ? 'Available once a key is chosen above.'
                : 'It has been deleted.'}
            </p>
          ) : null}
          {stillUsed ? (
            <Note kind="warn">
              <p>Key {old.id} was used after the new one was created: a program still has its DSN.</p>
            </Note>
          ) : null}
          {old === undefined ? null : (
            <Button look="danger" onClick={() => onDelete(old)}>
              Delete key {old.id}…
            </Button>
          )}
        </div>
      </li>
    </ol>
  );
}
