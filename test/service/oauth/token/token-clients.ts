import { beforeAll } from 'vitest';
import type { RegisteredApplication } from '../../../../src-main/service/oauth/applications/register-application.ts';
import { startIssuer } from '../token-fixture.ts';
import { useWorld } from '../../use-service.ts';

export const without = (form: Readonly<Record<string, string>>, ...names: readonly string[]) =>
  Object.fromEntries(Object.entries(form).filter(([name]) => !names.includes(name)));
export const secretOf = (registered: RegisteredApplication) => registered.secret ?? '';

/** An issuer with a confidential and a public client. */
export function useClients() {
  const issuer = useWorld(startIssuer);
  const scene = {} as { web: RegisteredApplication; desktop: RegisteredApplication };

  beforeAll(async () => {
    scene.web = await issuer.register();
    scene.desktop = await issuer.register({ name: 'Desktop', confidential: false });
  });

  return Object.assign(scene, { issuer });
}
