import type { SignInSettings } from '../../contract/applications.ts';
import type { Actor } from '../../http/principal.ts';
import type { AuditStores } from '../../audit/stores.ts';
import type { ServiceContext } from '../../http/service-context.ts';

const passwordGrant = 'oauth.password_grant';
const developmentRedirects = 'oauth.development_redirects';

type Deps = Pick<ServiceContext, 'settings'>;

/** Whether the password grant is enabled, which is the default. */
export async function allowsPasswordGrant(services: Deps): Promise<boolean> {
  return (await services.settings.get(passwordGrant)) !== 'off';
}

/** Reads the settings that concern signing in. */
export async function signInSettings(services: Deps): Promise<SignInSettings> {
  return {
    password_grant: await allowsPasswordGrant(services),
    development_redirects: (await services.settings.get(developmentRedirects)) === 'on',
  };
}

/** @param by the administrator who makes the change. */
export async function changeSignInSettings(
  services: Pick<AuditStores, 'audit'> & Pick<ServiceContext, 'events' | 'settings'>,
  change: Partial<SignInSettings>,
  by: Actor,
): Promise<SignInSettings> {
  for (const [key, value] of [
    [passwordGrant, change.password_grant],
    [developmentRedirects, change.development_redirects],
  ] as const) {
    if (value === undefined) continue;
    const text = value ? 'on' : 'off';
    await services.settings.set(key, text);
    await services.audit.record({ ...by, action: 'settings.update', subject: `setting:${key}`, detail: text });
  }
  services.events.emit('changed', { topic: 'service' });
  return signInSettings(services);
}
