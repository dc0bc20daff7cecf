import type { MailServer } from '../../../api/requests/types.ts';
import { RadioChoices } from '../../../ui/controls/radio-choices.tsx';
import { TextField } from '../../../ui/controls/text-field.tsx';
import styles from '../settings-screen.module.css';
import { canKeepPassword, type MailServerDraft } from './mail-server-draft.ts';

interface LoginFieldsProps {
  readonly draft: MailServerDraft;
  readonly server: MailServer;
  readonly fault: string | undefined;
  readonly onChange: (part: Partial<MailServerDraft>) => void;
}

/** User name and password; a stored password is never shown. */
export function LoginFields({ draft, server, fault, onChange }: LoginFieldsProps) {
  const canKeep = canKeepPassword(draft, server);
  const password = (hint: string) => (
    <TextField
      label="Password"
      hint={hint}
      error={fault}
      type="password"
      autoComplete="new-password"
      spellCheck={false}
      maxLength={1000}
      value={draft.password}
      onChange={(text) => onChange({ password: text })}
    />
  );
  return (
    <>
      <TextField
        label="User name"
        hint="Leave empty for a server that takes mail without a sign-in."
        spellCheck={false}
        maxLength={255}
        value={draft.username}
        onChange={(username) => onChange({ username })}
      />
      {canKeep ? (
        <div className={styles['within']}>
          <RadioChoices<MailServerDraft['passwordChange']>
            legend="Stored password"
            name="mail-password"
            value={draft.passwordChange}
            choices={[
              { value: 'keep', label: 'Keep it' },
              { value: 'replace', label: 'Replace it', more: password('The new one.') },
              { value: 'remove', label: 'Remove it' },
            ]}
            onChange={(passwordChange) => onChange({ passwordChange, password: '' })}
          />
        </div>
      ) : (
        password(
          server?.has_password === true
            ? 'The stored one belongs to the former server and user, and is not sent to another. Type it again.'
            : 'Kept encrypted, and never shown.',
        )
      )}
    </>
  );
}
