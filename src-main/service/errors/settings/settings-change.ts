import type { ErrorSettingsChange } from '../../contract/projects.ts';
import { invalidRequest } from '../../common/problem.ts';
import type { ProjectRow } from '../../projects/projects-store.ts';
import { sealText } from '../../secrets/sealed-text.ts';
import type { Actor } from '../../http/principal.ts';
import { createFirstClientKey } from './client-keys-change.ts';
import { isMasked, tokenForm, tokenPurpose } from '../external/auth-token.ts';
import { readApiUrl } from '../external/sentry-address.ts';
import { allowHost } from '../../outgoing/change-hosts.ts';
import type { OutgoingDeps } from '../../outgoing/outgoing-hosts.ts';
import { backendToAllow } from './allow-backend.ts';
import type { ErrorSettingsRow } from '../store/settings-store.ts';
import type { ErrorStores } from '../store/stores.ts';
import type { AuditStores } from '../../audit/stores.ts';
import type { ServiceContext } from '../../http/service-context.ts';

type Deps = Pick<ErrorStores, 'errorSettings'> &
  Pick<AuditStores, 'audit'> &
  Pick<ServiceContext, 'changes' | 'events' | 'secrets'>;

const maxUrlLength = 255;

/**
 * Changes the error tracking settings of a project; omitted members stay as they are. Address and
 * token of an external backend are kept while the integrated one is in use, so that the user can
 * switch back.
 *
 * @throws HttpProblem 400 for an invalid address, or an external backend without address or token.
 */
export async function changeSettings(
  services: Deps,
  project: ProjectRow,
  change: ErrorSettingsChange,
  by: Actor,
): Promise<ErrorSettingsRow> {
  const before = await services.errorSettings.of(project.id);
  const apiUrl = change.api_url === undefined ? (before?.api_url ?? null) : change.api_url?.trim() || null;
  const row: ErrorSettingsRow = {
    project_id: project.id,
    active: flag(change.active),
    integrated: change.integrated === undefined ? (before?.integrated ?? 1) : flag(change.integrated),
    api_url: apiUrl,
    sealed_token: sealedToken(services, project, change.token, apiUrl, before),
    project_name: change.project_name === undefined ? (before?.project_name ?? null) : change.project_name,
    organization_name:
      change.organization_name === undefined ? (before?.organization_name ?? null) : change.organization_name,
    retention_days: change.retention_days === undefined ? (before?.retention_days ?? null) : change.retention_days,
    most_events: change.most_events === undefined ? (before?.most_events ?? null) : change.most_events,
    max_bytes: change.max_bytes === undefined ? (before?.max_bytes ?? null) : change.max_bytes,
  };
  if (row.active === 1 && row.integrated === 0) {
    if (row.api_url === null)
      throw invalidRequest("Api url can't be blank: an external backend needs its address and a project chosen.");
    if (row.sealed_token === null)
      throw invalidRequest(
        "Token can't be blank: an external backend needs an auth token, and a kept one is for the server it was saved for alone.",
      );
  }
  await services.errorSettings.put(row);
  services.changes.bump();
  const detail = `${row.active === 1 ? 'active' : 'off'}, ${row.integrated === 1 ? 'integrated' : `external ${row.api_url ?? 'without address'}`}`;
  await services.audit.record({ ...by, action: 'error-tracking.settings', subject: `project:${project.id}`, detail });
  services.events.emit('changed', { topic: 'projects', id: String(project.id) });
  return row;
}

/**
 * Changes the settings on a user's request. A project that accepts errors afterwards and has no
 * client key gets one. A private host of an external backend is allowed when an administrator saves
 * it.
 *
 * @throws HttpProblem as `changeSettings` does, and 400 for a host that is refused.
 */
export async function saveSettings(
  services: Deps & OutgoingDeps & Pick<ErrorStores, 'clientKeys'> & Pick<ServiceContext, 'settings'>,
  project: ProjectRow,
  change: ErrorSettingsChange,
  { by, isAdmin }: { readonly by: Actor; readonly isAdmin: boolean },
): Promise<ErrorSettingsRow> {
  const before = await services.errorSettings.of(project.id);
  const toAllow = await backendToAllow(services, before, change, isAdmin);
  const row = await changeSettings(services, project, change, by);
  if (toAllow) await allowHost(services, toAllow, by, `the external backend of ${project.path}`);
  if (row.active === 1 && row.integrated === 1) await createFirstClientKey(services, project, by);
  return row;
}

function sealedToken(
  services: Deps,
  project: ProjectRow,
  token: string | null | undefined,
  apiUrl: string | null,
  before: ErrorSettingsRow | null,
): Buffer | null {
  const origin = originOf(apiUrl);
  if (token === null || origin === null) return null;
  if (token === undefined || isMasked(token))
    return originOf(before?.api_url ?? null) === origin ? (before?.sealed_token ?? null) : null;
  const trimmed = token.trim();
  if (!tokenForm.test(trimmed)) throw invalidRequest('Token has characters that no token has. Copy it again.');
  return sealText(services.secrets, tokenPurpose(project.id, origin), trimmed);
}

function originOf(apiUrl: string | null): string | null {
  if (apiUrl === null) return null;
  const address = apiUrl.length > maxUrlLength ? null : readApiUrl(apiUrl);
  if (!address)
    throw invalidRequest(
      `Api url is invalid: it is at most ${maxUrlLength} characters and reads https://HOST/api/0/projects/ORGANIZATION/PROJECT.`,
    );
  return address.origin;
}

function flag(value: boolean): 0 | 1 {
  return value ? 1 : 0;
}
