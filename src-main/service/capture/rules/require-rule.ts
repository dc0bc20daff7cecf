import { realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import type { AccountStores } from '../../accounts/store/stores.ts';
import { HttpProblem } from '../../common/problem.ts';
import type { ServiceConfig } from '../../config/config.ts';
import type { CaptureRuleInput } from '../../contract/capture/rules.ts';
import { failureText } from '../../files/register-failures.ts';
import { ownFolders } from '../../measurements/storage/own-folders.ts';
import type { ProjectStores } from '../../projects/stores.ts';
import type { ServerStores } from '../../servers/stores.ts';
import { fieldsOf } from '../naming/fill-template.ts';
import { parseLayout } from '../naming/layout.ts';

export type RequireRuleDeps = Pick<AccountStores, 'users'> &
  Pick<ProjectStores, 'projects'> &
  ServerStores & { readonly config: ServiceConfig };

const always = ['name', 'parent', 'date', 'rule'];

function refuse(message: string, type = 'bad-rule'): never {
  throw new HttpProblem(422, message, { type });
}

/**
 * Checks what a schema cannot, before a rule is stored.
 *
 * @throws HttpProblem 422 that says what is wrong.
 */
export async function requireRule(deps: RequireRuleDeps, rule: CaptureRuleInput): Promise<void> {
  if (deps.config.database)
    refuse('A facility watches no folders. Watch them with the Benchport at the instrument, and push to this one.');
  if (deps.config.libraryDir !== undefined && !rule.copy)
    refuse('Here files are always copied into the library. Choose to copy them.');
  requireShape(rule);
  await requireFolder(deps.config, rule.folder);
  await requireNames(deps, rule);
}

function requireShape(rule: CaptureRuleInput): void {
  const { unit, pattern, sign, markers, minutes } = rule;
  const known = new Set([...layoutFields(rule.layout), ...always, ...rule.fields.map(({ name }) => name)]);
  for (const { name } of rule.fields)
    if (always.includes(name)) refuse(`The field {${name}} is always there. Give the field of a file another name.`);
  if (unit === 'folder' && pattern !== null) refuse('A pattern is for runs that are files.');
  if (unit === 'files') requireGroup(pattern);
  if (unit === 'file' && pattern?.includes('{name}') === true)
    refuse('With {name}, files that share it are one run: choose several files.');
  if (sign === 'marker' && markers.length === 0) refuse('Name at least one marker.');
  if (sign === 'quiet' && minutes === 0) refuse('Say for how many minutes nothing must change.');
  const templates = [rule.id_template, rule.title_template, rule.owner, rule.project ?? '', rule.push_project ?? ''];
  for (const field of templates.flatMap(fieldsOf))
    if (!known.has(field)) refuse(`There is no field {${field}}. The fields are ${[...known].join(', ')}.`);
  if (fieldsOf(rule.id_template).length === 0)
    refuse('The id needs a field, such as {name}, or all runs would have the same.');
}

function layoutFields(layout: string): readonly string[] {
  try {
    return parseLayout(layout).flatMap(({ field }) => field ?? []);
  } catch (error) {
    return refuse(error instanceof Error ? error.message : 'The layout cannot be read.');
  }
}

function requireGroup(pattern: string | null): void {
  if (pattern?.includes('{name}') !== true)
    refuse('The pattern of files that are one run needs {name}, which they share, as in {name}.wiff*.');
  if (/\{name\}[*?]/.test(pattern) || /[*?]\{name\}/.test(pattern))
    refuse('Beside {name}, the pattern needs a character that is no * or ?, or the name would have no end.');
}

async function requireFolder(config: ServiceConfig, folder: string): Promise<void> {
  if (!path.isAbsolute(folder) || folder.includes('\0')) refuse('Give the absolute path of a folder.', 'bad-path');
  const found = await stat(folder).catch((error: unknown) =>
    refuse(`${folder} cannot be watched: ${failureText(error)}.`, 'bad-path'),
  );
  if (!found.isDirectory()) refuse(`${folder} is not a folder.`, 'bad-path');
  const real = await realpath(folder);
  for (const own of await ownFolders(config))
    if (isWithin(own, real) || isWithin(real, own))
      refuse(`One of ${folder} and the data directory ${own} is inside the other. Watch another folder.`, 'bad-path');
}

function isWithin(folder: string, inner: string): boolean {
  const relative = path.relative(folder, inner);
  return relative === '' || (relative !== '..' && !relative.startsWith(`..${path.sep}`) && !path.isAbsolute(relative));
}

async function requireNames(deps: RequireRuleDeps, rule: CaptureRuleInput): Promise<void> {
  const { owner, project, readers, notify, push_to: serverId } = rule;
  const fixedOwner = fieldsOf(owner).length === 0 ? [owner] : [];
  const users = [...fixedOwner, ...readers.filter((name) => name !== '*'), ...notify];
  for (const name of users) {
    const user = name.includes('@') ? await deps.users.byEmail(name) : await deps.users.byUsername(name);
    if (!user) refuse(`There is no user ${name}.`);
  }
  if (project !== null && fieldsOf(project).length === 0 && !(await deps.projects.byPath(project)))
    refuse(`There is no project ${project}.`);
  if (serverId !== null && !(await deps.servers.byId(serverId))) refuse('The server to push to does not exist.');
}
