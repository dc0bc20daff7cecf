import { HttpProblem } from '../common/problem.ts';
import type { Principal } from './principal.ts';

/**
 * `data`: allowed; it changes data that the application's user may change. `refused`: its result
 * would outlive the authorization of the application (access, secrets, accounts, trust, ways to
 * sign in). `own`: refused too, by the route itself and with its own status.
 */
type ApplicationRight = 'data' | 'refused' | 'own';

/**
 * Rights of an application (OAuth token) with the scope `api` at each writing route, by method and
 * route. A route that is missing here is refused. Routes that take no token (sign-in pages, the
 * token endpoint, events of SDKs, the window's own) are not listed.
 */
export const applicationRights: Readonly<Record<string, ApplicationRight>> = {
  'POST /api/v4/users': 'refused',
  'PUT /api/v4/users/:id': 'refused',
  'DELETE /api/v4/users/:id': 'refused',
  'PUT /api/v4/users/:id/quota': 'refused',
  'PUT /api/v4/projects/:id/quota': 'refused',
  'POST /api/v4/users/:id/block': 'refused',
  'POST /api/v4/users/:id/unblock': 'refused',
  'PATCH /api/v4/users/:id/disable_two_factor': 'refused',
  'POST /api/v4/user/notifications': 'refused',
  'PUT /api/v4/user/notifications/:id': 'refused',
  'DELETE /api/v4/user/notifications/:id': 'refused',
  'POST /api/v4/user/notifications/:id/secret': 'refused',
  'POST /api/v4/user/notifications/:id/test': 'refused',
  'POST /api/v4/user/happenings/seen': 'data',
  'POST /api/v4/projects/:id/notifications': 'refused',
  'PUT /api/v4/projects/:id/notifications/:rule_id': 'refused',
  'DELETE /api/v4/projects/:id/notifications/:rule_id': 'refused',
  'POST /api/v4/projects/:id/notifications/:rule_id/secret': 'refused',
  'POST /api/v4/projects/:id/notifications/:rule_id/test': 'refused',
  'PUT /api/v4/application/mail_server': 'refused',
  'POST /api/v4/application/mail_server/test': 'refused',
  'POST /api/v4/session/confirm': 'refused',
  'PUT /api/v4/user/password': 'refused',
  'POST /api/v4/user/totp': 'refused',
  'DELETE /api/v4/user/totp': 'refused',
  'POST /api/v4/user/totp/confirm': 'refused',
  'POST /api/v4/user/recovery_codes': 'refused',
  'POST /api/v4/user/webauthn/options': 'refused',
  'POST /api/v4/user/webauthn': 'refused',
  'DELETE /api/v4/user/webauthn/:id': 'refused',
  'DELETE /api/v4/user/sessions': 'refused',
  'DELETE /api/v4/user/sessions/:id': 'refused',
  // GitLab answers 405 to an OAuth token that names itself "self".
  'DELETE /api/v4/personal_access_tokens/:id': 'own',
  'POST /api/v4/personal_access_tokens/:id/rotate': 'own',
  'POST /api/v4/user/personal_access_tokens': 'refused',
  'POST /api/v4/users/:id/personal_access_tokens': 'refused',
  'POST /api/v4/user/applications': 'refused',
  'PATCH /api/v4/user/applications/:id': 'refused',
  'DELETE /api/v4/user/applications/:id': 'refused',
  'POST /api/v4/user/applications/:id/renew_secret': 'refused',
  'POST /api/v4/applications': 'refused',
  'DELETE /api/v4/applications/:id': 'refused',
  'POST /api/v4/applications/:id/renew-secret': 'refused',
  'DELETE /api/v4/user/authorized_applications/:applicationId': 'refused',
  'DELETE /oauth/authorized_applications/:applicationId': 'refused',
  'PUT /api/v4/application/settings': 'refused',
  'PUT /api/v4/audit_events/retention': 'refused',
  'PUT /api/v4/application/own_errors': 'refused',
  'PUT /api/v4/application/outgoing': 'refused',
  'POST /api/v4/service/clock': 'refused',
  'PUT /api/v4/projects/:id/members/:user_id': 'refused',
  'DELETE /api/v4/projects/:id/members/:user_id': 'refused',
  'POST /api/v4/projects/:id/error_tracking/client_keys': 'refused',
  'DELETE /api/v4/projects/:id/error_tracking/client_keys/:key_id': 'refused',
  'PATCH /api/v4/projects/:id/error_tracking/settings': 'refused',
  'PUT /api/v4/projects/:id/error_tracking/settings': 'refused',
  'POST /api/v4/measurements/:id/grants': 'refused',
  'DELETE /api/v4/measurements/:id/grants/:grant_id': 'refused',
  'POST /api/v4/projects': 'data',
  'PATCH /api/v4/projects/:id': 'data',
  'DELETE /api/v4/projects/:id': 'data',
  'PUT /api/v4/projects/:id/errors': 'data',
  'DELETE /api/v4/projects/:id/errors': 'data',
  'POST /api/v4/projects/:id/errors/merge': 'data',
  'POST /api/v4/projects/:id/errors/:error_id/unmerge': 'data',
  'POST /api/v4/projects/:id/error_tracking/test_event': 'data',
  'POST /api/v4/projects/:id/error_tracking/source_maps': 'data',
  'DELETE /api/v4/projects/:id/error_tracking/source_maps': 'data',
  'PUT /:project/-/error_tracking/:id': 'data',
  'PUT /api/0/issues/:issue_id': 'data',
  'PUT /api/0/organizations/:organization/issues/:issue_id': 'data',
  'POST /api/0/organizations/:organization/chunk-upload': 'data',
  'POST /api/0/organizations/:organization/artifactbundle/assemble': 'data',
  'POST /api/0/organizations/:organization/releases': 'data',
  'PUT /api/0/organizations/:organization/releases/:version': 'data',
  'DELETE /api/0/organizations/:organization/releases/:version': 'data',
  'POST /api/0/organizations/:organization/releases/:version/deploys': 'data',
  'POST /api/v4/measurements/uploads': 'data',
  'PATCH /api/v4/uploads/:upload': 'data',
  'DELETE /api/v4/uploads/:upload': 'data',
  'PUT /api/v4/measurements/:id/archive': 'data',
  'POST /api/v4/measurements/:id/receipts': 'data',
  'POST /api/v4/measurements/:id/challenge': 'data',
  'PATCH /api/v4/measurements/:id': 'data',
  'DELETE /api/v4/measurements/:id': 'data',
  'DELETE /api/v4/removed_measurements/:id': 'data',
  'POST /api/v4/removed_measurements/:id/restore': 'data',
  'POST /api/v4/measurements/:id/verify': 'data',
  'POST /api/v4/measurements/verify': 'data',
  'POST /api/v4/jobs/:id': 'data',
  'POST /api/v4/fleet/reports': 'data',
  'PATCH /api/v4/fleet/benches/:id': 'data',
  'DELETE /api/v4/fleet/benches/:id': 'data',
  'POST /api/v4/transfers/running/:id/end': 'data',
};

const readingMethods: readonly string[] = ['GET', 'HEAD', 'OPTIONS'];

/**
 * Refuses an application any writing route that the table does not allow.
 *
 * @param route its method and address as registered, and whether it only reads although its method
 * writes.
 * @throws HttpProblem 403.
 */
export function requireApplicationRight(
  principal: Principal,
  route: { readonly method: string; readonly url: string; readonly reads: boolean },
): void {
  if (principal.kind !== 'oauth' || route.reads || readingMethods.includes(route.method)) return;
  const right = applicationRights[`${route.method} ${route.url}`] ?? 'refused';
  if (right === 'refused') throw refusedToApplications();
}

/** 403 for an application, whatever its scopes. */
export function refusedToApplications(): HttpProblem {
  return new HttpProblem(
    403,
    'An application cannot do this with any scope, because the result would outlast its authorization. Do it in your browser or with a personal access token.',
  );
}
