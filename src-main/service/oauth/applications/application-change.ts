import { HttpProblem } from '../../common/problem.ts';
import type { Actor } from '../../http/principal.ts';
import { secretDigest } from '../../secrets/secret-digest.ts';
import { checkApplication } from './application-check.ts';
import type { ApplicationFields } from '../store/applications-store.ts';
import { describeApplication, newApplicationSecret } from './register-application.ts';
import type { Application } from '../shared/types.ts';
import type { OAuthStores } from '../store/stores.ts';
import type { AuditStores } from '../../audit/stores.ts';
import type { ServiceContext } from '../../http/service-context.ts';

type Deps = Pick<OAuthStores, 'applications'> &
  Pick<AuditStores, 'audit'> &
  Pick<ServiceContext, 'changes' | 'events' | 'settings'>;

/**
 * Changes an application. Tokens issued earlier keep the scopes that their users approved.
 *
 * @throws HttpProblem 400 that names the invalid field, 404 when the application no longer exists.
 */
export async function changeApplication(
  services: Deps,
  before: Application,
  fields: Partial<ApplicationFields>,
  by: Actor,
): Promise<Application> {
  const application = await services.applications.update(
    before.id,
    await checkApplication(services, { ...before, ...fields }),
  );
  if (!application) throw applicationMissing();
  services.changes.bump();
  await recordAudit(services, application, 'application.update', by, describeApplication(application));
  return application;
}

/**
 * Replaces the secret of an application; the old secret stops working at once.
 *
 * @returns the secret; only its digest is stored.
 * @throws HttpProblem 422 for a public application.
 */
export async function renewApplicationSecret(services: Deps, application: Application, by: Actor): Promise<string> {
  if (!application.confidential)
    throw new HttpProblem(422, 'A public application has no secret.', { type: 'public-application' });
  const secret = newApplicationSecret();
  if (!(await services.applications.setSecret(application.id, secretDigest(secret)))) throw applicationMissing();
  services.changes.bump();
  await recordAudit(services, application, 'application.renew-secret', by);
  return secret;
}

/** Deletes an application with its grants and tokens; running transfers that use them end too. */
export async function removeApplication(services: Deps, application: Application, by: Actor): Promise<void> {
  if (!(await services.applications.remove(application.id))) return;
  services.changes.bump();
  await recordAudit(
    services,
    application,
    'application.delete',
    by,
    `${application.name}, ${describeApplication(application)}`,
  );
}

/**
 * 404 for an application that does not exist or that the caller may not see: the two are
 * indistinguishable.
 */
export function applicationMissing(): HttpProblem {
  return new HttpProblem(404, 'There is no such application.');
}

async function recordAudit(
  services: Deps,
  application: Application,
  action: string,
  by: Actor,
  detail?: string,
): Promise<void> {
  await services.audit.record({
    ...by,
    action,
    subject: `application:${application.id}`,
    applicationId: application.id,
    ...(detail === undefined ? {} : { detail }),
  });
  services.events.emit('changed', { topic: 'applications', id: String(application.id) });
}
