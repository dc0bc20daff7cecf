import path from 'node:path';
import { isMeasurementId, suggestedId } from '../../../../src-shared/measurement-names.ts';
import type { AccountStores } from '../../accounts/store/stores.ts';
import type { UserRow } from '../../accounts/store/user-rows.ts';
import { replaceUnseen } from '../../common/unseen-characters.ts';
import type { CaptureRuleInput } from '../../contract/capture/rules.ts';
import type { CaptureReason } from '../../contract/capture/runs.ts';
import type { RegistrationPlan } from '../store/capture-rows.ts';
import type { ProjectStores } from '../../projects/stores.ts';
import { fillTemplate, MissingField } from './fill-template.ts';
import { fieldsOfPath, parseLayout } from './layout.ts';

/** A run cannot be registered before a person has done something. */
export class CaptureProblem extends Error {
  readonly reason: CaptureReason;

  constructor(reason: CaptureReason, message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}

/** Names of one run, from the templates of its rule. */
export interface RunNames extends RegistrationPlan {
  readonly ownerName: string;
  readonly projectPath: string | null;
}

export type NamingDeps = Pick<AccountStores, 'users'> & Pick<ProjectStores, 'projects'>;

/**
 * Fills the templates of a rule for one run.
 *
 * @param read values from files of the run.
 * @param wantedId by a person, in the place of the template.
 * @throws CaptureProblem
 */
export async function nameRun(
  deps: NamingDeps,
  settings: CaptureRuleInput,
  run: { readonly name: string; readonly firstSeenAt: number; readonly read: Readonly<Record<string, string>> },
  wantedId: string | null,
): Promise<RunNames> {
  const values = valuesOf(settings, run);
  const fill = (template: string): string => {
    try {
      return fillTemplate(template, values).trim();
    } catch (error) {
      if (error instanceof MissingField) throw new CaptureProblem('no-field', `${template}: ${error.message}`);
      throw error;
    }
  };
  const id = wantedId ?? suggestedId(fill(settings.id_template));
  if (!isMeasurementId(id)) throw new CaptureProblem('no-id', `${settings.id_template} gives no id.`);
  const title = replaceUnseen(fill(settings.title_template).normalize('NFC').slice(0, 200), '\ufffd');
  const owner = await userOf(deps, fill(settings.owner));
  if (!owner) throw new CaptureProblem('unknown-owner', `There is no user ${fill(settings.owner)}.`);
  const projectPath = settings.project === null ? null : fill(settings.project);
  const project = projectPath === null ? null : await deps.projects.byPath(projectPath);
  if (projectPath !== null && !project)
    throw new CaptureProblem('unknown-project', `There is no project ${projectPath}.`);
  return {
    id,
    title: title === '' ? id : title,
    ownerId: owner.id,
    ownerName: owner.username,
    projectId: project?.id ?? null,
    projectPath,
    readers: await readersOf(deps, settings.readers),
    pushProject: settings.push_project === null ? null : fill(settings.push_project),
  };
}

/** The values of all fields of a run, for its templates. */
function valuesOf(
  settings: CaptureRuleInput,
  { name, firstSeenAt, read }: { name: string; firstSeenAt: number; read: Readonly<Record<string, string>> },
): Readonly<Record<string, string>> {
  const levels = parseLayout(settings.layout);
  const fields: Record<string, string> = { ...fieldsOfPath(levels, name) };
  const parts = name.split('/');
  const own = parts.at(-1) ?? name;
  if (settings.unit === 'file') fields['name'] = path.parse(own).name;
  else if (settings.unit === 'files') fields['name'] = own;
  const at = new Date(firstSeenAt);
  const two = (value: number): string => String(value).padStart(2, '0');
  return {
    ...read,
    ...fields,
    parent: parts.at(-2) ?? path.basename(settings.folder),
    date: `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`,
    rule: settings.name,
  };
}

async function userOf({ users }: NamingDeps, name: string): Promise<UserRow | null> {
  return name.includes('@') ? users.byEmail(name) : users.byUsername(name);
}

async function readersOf(deps: NamingDeps, names: readonly string[]): Promise<RunNames['readers']> {
  const readers: ({ readonly userId: number } | { readonly everyone: true })[] = [];
  for (const name of names) {
    const user = name === '*' ? null : await userOf(deps, name);
    if (name !== '*' && !user) throw new CaptureProblem('unknown-reader', `There is no user ${name}.`);
    readers.push(user ? { userId: user.id } : { everyone: true });
  }
  return readers;
}
