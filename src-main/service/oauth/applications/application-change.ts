import { HttpProblem } from '../../common/problem.ts';
import type { Actor } from '../../http/principal.ts';
import { secretDigest } from '../../secrets/secret-digest.ts';
import { checkApplication } from './application-check.ts';
import type { ApplicationFields } from '../store/applications-store.ts';
import { describeApplication, newApplicationSecret } from './register-application.ts';
import type { Application } from '../shared/types.ts';
import type { Events } from '../../common/events.ts';
import type { ChangeCounter } from '../../database/change-counter.ts';
import type { SettingsStore } from '../../database/settings-store.ts';
import type { OAuthStores } from '../store/stores.ts';
import type { AuditStores } from '../../audit/stores.ts';

type Deps = Pick<OAuthStores, 'applications'> &
  Pick<AuditStores, 'audit'> & {
    readonly events: Events;
    readonly changes: ChangeCounter;
    readonly settings: SettingsStore;
  };

/**
 * Changes an application. Tokens that it was given keep what their users have approved.
 *
 * @throws HttpProblem 400 that names what cannot be, 404 when it is gone.
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
  await note(services, application, 'application.update', by, describeApplication(application));
  return application;
}

/**
 * Gives an application a new secret; the old one ends at once.
 *
 * @returns the secret, which is known nowhere else afterwards.
 * @throws HttpProblem 422 for a public application.
 */
export async function renewApplicationSecret(services: Deps, application: Application, by: Actor): Promise<string> {
  if (!application.confidential)
    throw new HttpProblem(422, 'A public application has no secret.', { type: 'public-application' });
  const secret = newApplicationSecret();
  if (!(await services.applications.setSecret(application.id, secretDigest(secret)))) throw applicationMissing();
  services.changes.bump();
  await note(services, application, 'application.renew-secret', by);
  return secret;
}

/** Removes an application with everything that its users gave it: from the next request on, and for running transfers. */
export async function removeApplication(services: Deps, application: Application, by: Actor): Promise<void> {
  if (!(await services.applications.remove(application.id))) return;
  services.changes.bump();
  await note(
    services,
    application,
    'application.delete',
    by,
    `${application.name}, ${describeApplication(application)}`,
  );
}

/** 404 for an application that is not there, or not for this caller: alike. */
export function applicationMissing(): HttpProblem {
  return new HttpProblem(404, 'There is no such application.');
}

async function note(
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
