import { RadioChoices } from '../../../ui/controls/radio-choices.tsx';
import { TextField } from '../../../ui/controls/text-field.tsx';
import { Note } from '../../../ui/notes/note.tsx';
import { NoMailServer } from './no-mail-server.tsx';
import { withChannel, type RuleDraft } from './rule-draft.ts';
import type { RuleFieldsProps } from './rule-fields.ts';

/** By which channel messages go, and where to. */
export function TargetFields({ draft, faults, author, choices, isNew, onChange }: RuleFieldsProps) {
  const isFixed = !isNew;
  return (
    <>
      <RadioChoices<RuleDraft['channel']>
        legend="How"
        name="channel"
        value={draft.channel}
        choices={[
          { value: 'mail', label: 'By mail', disabled: isFixed && draft.channel !== 'mail' },
          {
            value: 'webhook',
            label: 'By webhook',
            meaning: 'A signed POST to a program of yours, or to a chat that takes them.',
            disabled: isFixed && draft.channel !== 'webhook',
          },
        ]}
        onChange={(channel) => onChange(withChannel(draft, channel, author))}
      />
      {draft.channel === 'mail' && !choices.mail ? <NoMailServer /> : null}
      {draft.channel === 'mail' ? (
        <MailAddress {...{ draft, faults, author, onChange }} />
      ) : (
        <TextField
          label="Address of the receiver"
          error={faults.to}
          hint={`Begins with https:// or http://. ${
            author.isAdministrator
              ? 'A host of a private network is allowed by naming it here.'
              : 'A host of a private network must be allowed by an administrator.'
          }`}
          required
          inputMode="url"
          spellCheck={false}
          maxLength={2000}
          value={draft.to}
          onChange={(to) => onChange({ ...draft, to })}
        />
      )}
    </>
  );
}

function MailAddress({
  draft,
  faults,
  author,
  onChange,
}: Pick<RuleFieldsProps, 'draft' | 'faults' | 'author' | 'onChange'>) {
  if (!author.isAdministrator && author.email === null)
    return (
      <Note kind="warn">
        <p>Your account has no e-mail address. An administrator can add one under Users.</p>
      </Note>
    );
  return (
    <TextField
      label="Address"
      error={faults.to}
      hint={
        author.isAdministrator
          ? 'Yours, or that of a group.'
          : 'Mail goes to the address of your account. An administrator can change it.'
      }
      required
      readOnly={!author.isAdministrator}
      inputMode="email"
      spellCheck={false}
      maxLength={320}
      value={draft.to}
      onChange={(to) => onChange({ ...draft, to })}
    />
  );
}
