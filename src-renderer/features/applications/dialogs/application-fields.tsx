import { useSession } from '../../../context/context.ts';
import type { Scope } from '../../../../src-main/service/contract/scope-meanings.ts';
import { Choice, Choices, Field } from '../../../ui/controls/field.tsx';
import { ScopeChoices } from '../../scopes/scope-choices.tsx';
import { scopesOfApplications } from '../../scopes/scope-words.ts';
import { RadioChoices } from '../../../ui/controls/radio-choices.tsx';
import styles from './application-fields.module.css';
import { redirectUrisOf, reportRedirectUris } from './redirect-uris.ts';
import { TextField } from '../../../ui/controls/text-field.tsx';

/** The editable values of an application. */
export interface ApplicationDraft {
  readonly name: string;
  readonly redirectText: string;
  readonly confidential: boolean;
  readonly deviceGrant: boolean;
  readonly trusted: boolean;
  readonly scopes: readonly Scope[];
}

/** Whether a draft can be sent, as far as the client can check. */
export function isReady({ name, redirectText, deviceGrant, scopes }: ApplicationDraft): boolean {
  const { faults } = reportRedirectUris(redirectText);
  return (
    name.trim() !== '' &&
    faults.length === 0 &&
    scopes.length > 0 &&
    (deviceGrant || redirectUrisOf(redirectText).length > 0)
  );
}

export interface ApplicationFieldsProps {
  readonly draft: ApplicationDraft;
  /**
   * Whether the kind of program can still be chosen: existing installations either have a secret or
   * not.
   */
  readonly isNew: boolean;
  readonly onChange: (change: Partial<ApplicationDraft>) => void;
}

const kinds = [
  {
    value: true,
    label: 'Yes, it runs on a server',
    meaning: 'Confidential: it gets a secret that only the server knows.',
  },
  {
    value: false,
    label: 'No, it runs on its users’ machines',
    meaning:
      'Public: programs on a desktop, a phone or in a browser page. Whoever has the program could read its secret, so it gets none and must use PKCE.',
  },
] as const;

/** The fields of an application, for registering and for editing. */
export function ApplicationFields({ draft, isNew, onChange }: ApplicationFieldsProps) {
  const isAdmin = useSession().user?.is_admin ?? false;
  const { faults, doubts } = reportRedirectUris(draft.redirectText);
  const rows = Math.min(8, Math.max(3, draft.redirectText.split('\n').length + 1));
  return (
    <>
      <TextField
        label="Name"
        hint="People see it when they are asked to approve."
        required
        maxLength={255}
        value={draft.name}
        onChange={(name) => onChange({ name })}
      />
      <Field
        label="Redirect URIs"
        error={faults.length === 0 ? null : <Lines lines={faults} />}
        hint={
          doubts.length > 0 ? (
            <Lines lines={doubts} />
          ) : (
            'One per line, compared character by character. Use https; a program on its user’s machine uses http://127.0.0.1/callback, where any port matches.'
          )
        }
      >
        {(wiring) => (
          <textarea
            {...wiring}
            rows={rows}
            spellCheck={false}
            autoComplete="off"
            autoCapitalize="off"
            placeholder="https://app.example/callback"
            value={draft.redirectText}
            onChange={(event) => onChange({ redirectText: event.target.value })}
          />
        )}
      </Field>
      {isNew ? (
        <RadioChoices
          legend="Can it keep a secret?"
          name="confidential"
          value={draft.confidential}
          choices={kinds}
          onChange={(confidential) => onChange({ confidential, ...(confidential ? {} : { trusted: false }) })}
        />
      ) : null}
      <ScopeChoices
        offered={scopesOfApplications}
        chosen={draft.scopes}
        hint="All that it may ask its users for. Give it no more than it needs."
        onChange={(scopes) => onChange({ scopes })}
      />
      <Choices
        legend="Ways to sign in"
        hint="Always the code flow with PKCE. The implicit grant is not offered: it puts tokens into the address bar."
      >
        <Choice
          name="device_grant"
          label="Also with a code that is typed into another browser"
          meaning="The device grant, for instruments and machines that have no browser."
          checked={draft.deviceGrant}
          onChange={(deviceGrant) => onChange({ deviceGrant })}
        />
        {isAdmin && draft.confidential ? (
          <Choice
            name="trusted"
            label="Trusted: approved without asking its users"
            meaning="Only for software of your own. Only administrators can set this."
            checked={draft.trusted}
            onChange={(trusted) => onChange({ trusted })}
          />
        ) : null}
      </Choices>
    </>
  );
}

function Lines({ lines }: { readonly lines: readonly string[] }) {
  return lines.map((line) => (
    <span key={line} className={styles['line']}>
      {line}
    </span>
  ));
}
