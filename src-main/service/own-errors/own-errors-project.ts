import { createProject } from '../projects/create-project.ts';
import type { ProjectRow } from '../projects/projects-store.ts';
import { changeSettings } from '../errors/settings/settings-change.ts';
import type { Actor } from '../http/principal.ts';
import type { ProjectStores } from '../projects/stores.ts';
import type { AuditStores } from '../audit/stores.ts';
import type { ErrorStores } from '../errors/store/stores.ts';
import type { ServiceContext } from '../http/service-context.ts';

const switchKey = 'own_errors';
const projectKey = 'own_errors_project';
const defaultPath = 'benchport';
const maxNameAttempts = 100;

type ReadDeps = Pick<ProjectStores, 'projects'> & Pick<ErrorStores, 'errorSettings'> & Pick<ServiceContext, 'settings'>;

/** Returns the project that stores own errors; null while they are not stored. */
export async function ownErrorsProject(services: ReadDeps): Promise<ProjectRow | null> {
  if ((await services.settings.get(switchKey)) !== 'on') return null;
  const project = await storedProject(services);
  const settings = project && (await services.errorSettings.of(project.id));
  // The project may have been removed, or its errors may go to an external backend; own errors are
  // then only logged.
  return settings?.active === 1 && settings.integrated === 1 ? project : null;
}

/** Returns whether own errors are stored, and in which project. */
export async function ownErrorsState(
  services: ReadDeps,
): Promise<{ readonly on: boolean; readonly project: ProjectRow | null }> {
  const on = (await services.settings.get(switchKey)) === 'on';
  return { on, project: on ? await ownErrorsProject(services) : null };
}

/**
 * Switches the storing of own errors on or off. Switching on creates the project if necessary,
 * visible to administrators; switching off keeps the project and its errors.
 *
 * @throws HttpProblem when the project cannot be created.
 */
export async function switchOwnErrors(
  services: Pick<ProjectStores, 'projects'> &
    Pick<ErrorStores, 'errorSettings'> &
    Pick<AuditStores, 'audit'> &
    Pick<ServiceContext, 'changes' | 'events' | 'secrets' | 'settings'>,
  on: boolean,
  by: Actor,
): Promise<void> {
  if (on) {
    const project = (await storedProject(services)) ?? (await newProject(services, by));
    await changeSettings(services, project, { active: true, integrated: true }, by);
    await services.settings.set(projectKey, String(project.id));
  }
  const value = on ? 'on' : 'off';
  await services.settings.set(switchKey, value);
  await services.audit.record({ ...by, action: 'settings.update', subject: `setting:${switchKey}`, detail: value });
  services.events.emit('changed', { topic: 'service' });
}

async function storedProject(
  services: Pick<ProjectStores, 'projects'> & Pick<ServiceContext, 'settings'>,
): Promise<ProjectRow | null> {
  const stored = await services.settings.get(projectKey);
  return stored === null ? null : services.projects.byId(Number(stored));
}

/**
 * Creates the project without members: administrators can access every project, and other users
 * should see these errors only if an administrator adds them.
 */
async function newProject(
  services: Pick<ProjectStores, 'projects'> & Pick<AuditStores, 'audit'> & Pick<ServiceContext, 'changes' | 'events'>,
  by: Actor,
): Promise<ProjectRow> {
  for (let number = 1; ; number += 1) {
    const path = number === 1 ? defaultPath : `${defaultPath}-${number}`;
    if (number < maxNameAttempts && (await services.projects.byPath(path)) !== null) continue;
    return createProject(services, { path, name: 'Benchport itself', ownerId: null }, by);
  }
}
