import { InvalidArgumentError } from 'commander';
import path from 'node:path';
import { Value } from 'typebox/value';
import { captureChoices } from '../../service/capture/naming/presets.ts';
import {
  CaptureRuleInput,
  type CaptureField,
  type CapturePreset,
  type CaptureUnit,
} from '../../service/contract/capture/rules.ts';
import type { Services } from '../../service/services.ts';
import { findServer } from '../support/find-server.ts';
import { ownerOf } from '../support/owner-of.ts';
import { CommandError } from '../support/terminal.ts';
import { signOf, type Completion } from './completion.ts';

/** The options of `capture add` that make a rule. */
export interface RuleOptions {
  readonly folder: string;
  readonly preset: CapturePreset;
  readonly run?: CaptureUnit;
  readonly layout?: string;
  readonly pattern?: string;
  readonly complete?: readonly Completion[];
  readonly settle?: number;
  readonly unfinished?: readonly string[];
  readonly ignore?: readonly string[];
  readonly id: string;
  readonly title: string;
  readonly field?: readonly CaptureField[];
  readonly owner?: string;
  readonly project?: string;
  readonly reader?: readonly string[];
  readonly everyone?: true;
  readonly notify?: readonly string[];
  readonly copy?: true;
  readonly push?: string;
  readonly pushProject?: string;
  readonly existing?: true;
}

/** @throws InvalidArgumentError for anything but `NAME=FILE:KEY`. */
export function parseField(text: string): CaptureField {
  const [, name, file, key] = /^([a-z][a-z0-9_]{0,39})=([^:]+):(.+)$/s.exec(text) ?? [];
  if (name === undefined || file === undefined || key === undefined)
    throw new InvalidArgumentError(
      'Give NAME=FILE:KEY, such as instrument=RunInfo.xml:Instrument; a name has small letters, digits and _.',
    );
  return { name, from: file, key };
}

/**
 * The rule that options describe.
 *
 * @throws CommandError (bad usage) for options that make none.
 */
export async function ruleInputOf(
  services: Pick<Services, 'users' | 'settings' | 'servers'>,
  name: string,
  options: RuleOptions,
): Promise<CaptureRuleInput> {
  const preset = captureChoices.presets.find((one) => one.preset === options.preset);
  if (!preset) throw new CommandError(`There is no preset ${options.preset}.`, 2);
  const unit = options.run ?? preset.unit;
  const rule = {
    name,
    folder: path.resolve(options.folder),
    unit,
    layout: options.layout ?? preset.layout,
    pattern: options.pattern ?? patternOf(unit, unit === preset.unit ? preset.pattern : null),
    ...signOf(preset, options.complete ?? [], options.settle),
    unfinished: [...(options.unfinished ?? preset.unfinished)],
    ignore: [...(options.ignore ?? preset.ignore)],
    id_template: options.id,
    title_template: options.title,
    fields: [...(options.field ?? [])],
    owner: options.owner ?? (await ownerOf(services, undefined)).username,
    project: options.project ?? null,
    readers: [...(options.reader ?? []), ...(options.everyone ? ['*'] : [])],
    notify: [...(options.notify ?? [])],
    copy: options.copy === true,
    push_to: await pushTo(services, options),
    push_project: options.pushProject ?? null,
    existing: options.existing === true,
  };
  requireShape(rule);
  return rule;
}

/** @throws CommandError (bad usage) for several files without what they share. */
function patternOf(unit: CaptureUnit, known: string | null): string | null {
  if (known !== null || unit === 'folder') return known;
  if (unit === 'file') return '*';
  throw new CommandError('--run files needs --pattern with the {name} that the files share, as in {name}.wiff*.', 2);
}

async function pushTo(
  services: Pick<Services, 'servers'>,
  { push, pushProject }: Pick<RuleOptions, 'push' | 'pushProject'>,
): Promise<number | null> {
  if (push === undefined && pushProject !== undefined)
    throw new CommandError('--push-project needs --push with the server that has the project.', 2);
  if (push === undefined) return null;
  const { known } = await findServer(services, push);
  if (!known)
    throw new CommandError(
      `${push} is not in the list of servers. Add it in the window, or with "benchport push ID --to URL --token-file FILE".`,
      2,
    );
  return known.id;
}

const optionNames: Readonly<Record<string, string>> = {
  name: 'The name',
  markers: '--complete',
  id_template: '--id',
  title_template: '--title',
  fields: '--field',
  readers: '--reader',
  push_project: '--push-project',
};

/** @throws CommandError (bad usage) that names the option which the schema of a rule refuses. */
function requireShape(rule: CaptureRuleInput): void {
  if (Value.Check(CaptureRuleInput, rule)) return;
  const [finding] = Value.Errors(CaptureRuleInput, rule);
  const member = finding?.instancePath.split('/')[1] ?? '';
  const where = optionNames[member] ?? `--${member}`;
  const isName = member === 'name';
  throw new CommandError(
    isName
      ? 'A name has up to 63 letters, digits, blanks, dots, - and _, and begins with a letter or a digit.'
      : `${where} cannot be used: it ${finding?.message ?? 'is not as declared'}.`,
    2,
  );
}
