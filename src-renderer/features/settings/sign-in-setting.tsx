import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { SignInSettings } from '../../api/requests/types.ts';
import { useApp } from '../../context/context.ts';
import { Choice, Choices } from '../../ui/controls/field.tsx';
import { useAutoSave } from './answers/auto-save.ts';
import { Saved } from './saved.tsx';
import { SettingGroup } from './answers/setting-group.tsx';

const switches: readonly { readonly name: keyof SignInSettings; readonly label: string; readonly meaning: string }[] = [
  {
    name: 'password_grant',
    label: 'Programs may use a user name and a password',
    meaning:
      'For your own programs that have no other way: they see the password. Users with two-factor sign-in are still refused.',
  },
  {
    name: 'development_redirects',
    label: 'Applications may be answered over plain http',
    meaning:
      'For development. Answers, and with them access, can be read on the network. Addresses on the same machine do not need this.',
  },
];

/** How other software may sign in here; for administrators. */
export function SignInSetting() {
  const { queries } = useApp();
  const settings = useQuery(queries.signIn());
  return (
    <SettingGroup heading="Sign-in of other software" of={settings}>
      {(data) => <Switches settings={data} />}
    </SettingGroup>
  );
}

function Switches({ settings }: { readonly settings: SignInSettings }) {
  const { actions, queries } = useApp();
  const client = useQueryClient();
  const { shown, saving, failure, change } = useAutoSave(settings, async (next) =>
    client.setQueryData(queries.signIn().queryKey, await actions.setSignIn(next)),
  );

  return (
    <>
      <Choices legend="Sign-in of other software" hint="Takes effect at once, for all users.">
        {switches.map(({ name, label, meaning }) => (
          <Choice
            key={name}
            type="checkbox"
            name={name}
            label={label}
            meaning={meaning}
            checked={shown[name]}
            onChange={(checked) => change({ ...shown, [name]: checked })}
          />
        ))}
      </Choices>
      <Saved saving={saving} failure={failure} />
    </>
  );
}
