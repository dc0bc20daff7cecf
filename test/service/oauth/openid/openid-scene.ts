import { beforeAll } from 'vitest';
import type { RegisteredApplication } from '../../../../src-main/service/oauth/applications/register-application.ts';
import { startIssuer } from '../token-fixture.ts';
import { useWorld } from '../../use-service.ts';

export const scopes = [
  'openid',
  'profile',
  'email',
  'api',
  'read_api',
  'read_user',
  'read_measurement',
  'write_measurement',
] as const;

/** An issuer with a confidential client, and its metadata. */
export function useOpenId() {
  const issuer = useWorld(startIssuer);
  const scene = {} as { web: RegisteredApplication; metadata: Readonly<Record<string, unknown>> };

  beforeAll(async () => {
    scene.web = await issuer.register({ scopes: [...scopes], deviceGrant: true });
    scene.metadata = (await issuer.get('/.well-known/openid-configuration')).body;
  });

  const list = (name: string) => scene.metadata[name] as readonly string[];

  return Object.assign(scene, { issuer, list });
}
