import { randomBytes } from 'node:crypto';
import type { Actor } from '../../http/principal.ts';
import { secretDigest } from '../../secrets/secret-digest.ts';
import { checkApplication, type ApplicationInput } from './application-check.ts';
import type { Application } from '../shared/types.ts';
import type { OAuthStores } from '../store/stores.ts';
import type { AuditStores } from '../../audit/stores.ts';
import type { ServiceContext } from '../../http/service-context.ts';

type Deps = Pick<OAuthStores, 'applications'> &
  Pick<AuditStores, 'audit'> &
  Pick<ServiceContext, 'events' | 'settings'>;

export interface NewApplicationInput extends ApplicationInput {
  readonly ownerId: number;
  readonly legacyImplicit: boolean;
}

export interface RegisteredApplication {
  readonly application: Application;
  /** Only its digest is stored; null for a public application. */
  readonly secret: string | null;
}

/**
 * Registers an application.
 *
 * @throws HttpProblem 400 that names the invalid field.
 */
export async function registerApplication(
  services: Deps,
  input: NewApplicationInput,
  by: Actor,
): Promise<RegisteredApplication> {
  const { confidential, ...checked } = await checkApplication(services, input);
  const secret = confidential ? newApplicationSecret() : null;
  const application = await services.applications.create({
    ...checked,
    clientId: randomBytes(32).toString('hex'),
    secretHash: secret === null ? null : secretDigest(secret),
  });
  await services.audit.record({
    ...by,
    action: 'application.create',
    subject: `application:${application.id}`,
    detail: describeApplication(application),
    applicationId: application.id,
  });
  services.events.emit('changed', { topic: 'applications', id: String(application.id) });
  return { application, secret };
}

/** A new client secret: `bpas-` and 64 hex digits, so that secret scanners can find a leaked one. */
export function newApplicationSecret(): string {
  return `bpas-${randomBytes(32).toString('hex')}`;
}

/** Describes an application in one line for the audit trail. */
export function describeApplication(application: Application): string {
  const traits = [
    `of user:${application.ownerId}`,
    application.confidential ? 'confidential' : 'public',
    application.trusted && 'trusted',
    application.legacyImplicit && 'implicit grant',
    application.deviceGrant && 'device grant',
    application.scopes.join(' '),
  ];
  return traits.filter((trait) => trait !== false).join(', ');
}
