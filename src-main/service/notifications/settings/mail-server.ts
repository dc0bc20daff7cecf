import { Type, type Static } from 'typebox';
import { Value } from 'typebox/value';
import { parseJson } from '../../common/parse-json.ts';
import type { MailServer, MailServerInput } from '../../contract/notifications/notifications.ts';
import type { SettingsStore } from '../../database/settings-store.ts';
import { openText, sealText } from '../../secrets/sealed-text.ts';
import type { SecretBox } from '../../secrets/secret-box.ts';

const key = 'mail_server';

const Stored = Type.Object({
  host: Type.String(),
  port: Type.Integer(),
  security: Type.Enum(['tls', 'starttls', 'none']),
  username: Type.Union([Type.String(), Type.Null()]),
  from: Type.String(),
  /** Sealed for host and user, in base64. */
  password: Type.Union([Type.String(), Type.Null()]),
});
type Stored = Readonly<Static<typeof Stored>>;

export interface MailServerAccess extends Omit<Stored, 'password'> {
  readonly password: string | null;
}

type Deps = { readonly settings: SettingsStore; readonly secrets: SecretBox };

/** A password is not sent to another server or for another user than it was given for. */
const purposeOf = ({ host, port, username }: Pick<Stored, 'host' | 'port' | 'username'>): string =>
  `mail:${host}:${port}:${username ?? ''}`;

async function readStored(settings: SettingsStore): Promise<Stored | null> {
  const text = await settings.get(key);
  const value = text === null ? null : parseJson(text);
  return Value.Check(Stored, value) ? value : null;
}

/** The server that mail is sent by, with its password; null when there is none. */
export async function readMailServer({ settings, secrets }: Deps): Promise<MailServerAccess | null> {
  const stored = await readStored(settings);
  if (!stored) return null;
  const sealed = stored.password === null ? null : Buffer.from(stored.password, 'base64');
  return { ...stored, password: sealed && openText(secrets, purposeOf(stored), sealed) };
}

export async function mailServerShape(settings: SettingsStore): Promise<MailServer> {
  const stored = await readStored(settings);
  if (!stored) return null;
  const { password, ...shown } = stored;
  return { ...shown, has_password: password !== null };
}

/** @param input null: no mail is sent any more. */
export async function writeMailServer(deps: Deps, input: MailServerInput | null): Promise<void> {
  if (input === null) return deps.settings.set(key, 'null');
  const { password: wanted, ...rest } = input;
  const before = wanted === undefined ? await readMailServer(deps) : null;
  const isSame = before !== null && purposeOf(before) === purposeOf(rest);
  const password = wanted === undefined ? (isSame ? before.password : null) : wanted;
  const sealed = password === null ? null : sealText(deps.secrets, purposeOf(rest), password).toString('base64');
  return deps.settings.set(key, JSON.stringify({ ...rest, password: sealed } satisfies Stored));
}
