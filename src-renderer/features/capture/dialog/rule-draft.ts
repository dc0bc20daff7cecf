import type { CaptureChoices, CaptureField, CaptureRule, CaptureRuleInput } from '../../../api/requests/types.ts';

type Texts =
  | 'markers'
  | 'unfinished'
  | 'ignore'
  | 'readers'
  | 'notify'
  | 'minutes'
  | 'pattern'
  | 'project'
  | 'push_project';

/** A rule as it is typed: lists are texts with an entry a line, and what may be left out is empty. */
export type RuleDraft = Omit<CaptureRuleInput, Texts> & Readonly<Record<Texts, string>>;
type Preset = CaptureChoices['presets'][number];
type Layout = CaptureChoices['layouts'][number];

const lines = (text: string): string[] => [
  ...new Set(
    text
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== ''),
  ),
];
const orNull = (text: string): string | null => (text.trim() === '' ? null : text.trim());

/** A new rule of a user, with the signs of the first preset. */
export function newDraft({ presets }: CaptureChoices, username: string): RuleDraft {
  const empty: RuleDraft = {
    name: '',
    folder: '',
    unit: 'folder',
    layout: '{name}',
    pattern: '',
    sign: 'quiet',
    markers: '',
    unfinished: '',
    minutes: '10',
    ignore: '',
    id_template: '{name}',
    title_template: '{name}',
    fields: [],
    owner: username,
    project: '',
    readers: '',
    notify: '',
    copy: false,
    push_to: null,
    push_project: '',
    existing: false,
  };
  const [first] = presets;
  return first === undefined ? empty : withPreset(empty, first);
}

/** An existing rule, to be changed. */
export function draftOf(rule: CaptureRule): RuleDraft {
  return {
    name: rule.name,
    folder: rule.folder,
    unit: rule.unit,
    layout: rule.layout,
    sign: rule.sign,
    id_template: rule.id_template,
    title_template: rule.title_template,
    fields: rule.fields,
    owner: rule.owner,
    copy: rule.copy,
    push_to: rule.push_to,
    existing: rule.existing,
    pattern: rule.pattern ?? '',
    markers: rule.markers.join('\n'),
    unfinished: rule.unfinished.join('\n'),
    minutes: String(rule.minutes),
    ignore: rule.ignore.join('\n'),
    readers: rule.readers.join(', '),
    notify: rule.notify.join(', '),
    project: rule.project ?? '',
    push_project: rule.push_project ?? '',
  };
}

function signsOf(preset: Preset) {
  return {
    unit: preset.unit,
    layout: preset.layout,
    pattern: preset.pattern ?? '',
    sign: preset.sign,
    markers: preset.markers.join('\n'),
    unfinished: preset.unfinished.join('\n'),
    minutes: String(preset.minutes),
    ignore: preset.ignore.join('\n'),
  } satisfies Partial<RuleDraft>;
}

export function withPreset(draft: RuleDraft, preset: Preset): RuleDraft {
  return { ...draft, ...signsOf(preset) };
}

const lastLevel = (layout: string): string => layout.split('/').at(-1) ?? '';

/**
 * The preset whose settings a draft has; undefined once one of them was changed. Facilities have
 * levels of their own above the runs, but the names of the runs are the instrument's.
 */
export function presetOf(draft: RuleDraft, presets: readonly Preset[]): Preset | undefined {
  return presets.find(
    (preset) =>
      lastLevel(draft.layout) === lastLevel(preset.layout) &&
      Object.entries(signsOf(preset)).every(
        ([name, value]) => name === 'layout' || draft[name as keyof RuleDraft] === value,
      ),
  );
}

/** The name that a folder proposes for its rule; empty where it has no usable one. */
export function nameOfFolder(folder: string): string {
  return (folder.split(/[/\\]/).findLast((part) => part !== '') ?? '')
    .normalize('NFKD')
    .replaceAll(/\p{Mark}/gu, '')
    .replaceAll(/[^A-Za-z0-9 ._-]+/g, '-')
    .replace(/^[^A-Za-z0-9]+/, '')
    .slice(0, 63)
    .replace(/[-._ ]+$/, '');
}

/** A typed name stays, a proposed one follows the folder. */
export function withFolder(draft: RuleDraft, folder: string): RuleDraft {
  const isProposed = draft.name === '' || draft.name === nameOfFolder(draft.folder);
  return { ...draft, folder, name: isProposed ? nameOfFolder(folder) : draft.name };
}

/**
 * A typed owner stays, one that came from a layout follows it. What the names of runs end in, such
 * as `{name}.d`, stays too.
 */
export function withLayout(draft: RuleDraft, next: Layout, layouts: readonly Layout[], username: string): RuleDraft {
  const isProposed = draft.owner === username || layouts.some(({ owner }) => owner === draft.owner);
  const level = lastLevel(draft.layout);
  const layout = level.startsWith('{name}') ? next.layout.replace(/\{name\}$/, level) : next.layout;
  return { ...draft, layout, owner: isProposed ? (next.owner ?? username) : draft.owner };
}

const isEmpty = ({ name, from, key }: CaptureField): boolean => `${name}${from}${key}`.trim() === '';

/** The rule as it is sent to the service. */
export function inputOf(draft: RuleDraft): CaptureRuleInput {
  return {
    ...draft,
    name: draft.name.trim(),
    layout: draft.layout.trim(),
    id_template: draft.id_template.trim(),
    title_template: draft.title_template.trim(),
    owner: draft.owner.trim(),
    pattern: draft.unit === 'folder' ? null : orNull(draft.pattern),
    markers: draft.sign === 'marker' ? lines(draft.markers) : [],
    unfinished: lines(draft.unfinished),
    minutes: readMinutes(draft.minutes) ?? 0,
    ignore: lines(draft.ignore),
    fields: draft.fields
      .filter((field) => !isEmpty(field))
      .map(({ name, from, key }) => ({ name: name.trim(), from: from.trim(), key: key.trim() })),
    readers: lines(draft.readers.replaceAll(',', '\n')),
    notify: lines(draft.notify.replaceAll(',', '\n')),
    project: orNull(draft.project),
    push_project: draft.push_to === null ? null : orNull(draft.push_project),
  };
}

/** @returns undefined for what is no valid duration. */
function readMinutes(text: string): number | undefined {
  const minutes = Number(text.trim().replace(',', '.'));
  return text.trim() === '' || !(minutes >= 0 && minutes <= 10_080) ? undefined : minutes;
}

export type RuleFaults = Partial<Record<keyof RuleDraft, string>>;

function faultOfLines(text: string, max: number): string | undefined {
  const entries = lines(text);
  if (entries.length > max) return `There are ${entries.length} entries; the maximum is ${max}.`;
  return entries.some((entry) => entry.length > 200) ? 'An entry is longer than 200 characters.' : undefined;
}

/** Faults that the service would refuse, as far as the page can tell. */
export function faultsOf(draft: RuleDraft): RuleFaults {
  const { name, markers, pattern, fields } = draft;
  const found: Record<string, string | undefined> = {
    name:
      name === '' || /^[A-Za-z0-9][A-Za-z0-9 ._-]{0,62}$/.test(name.trim())
        ? undefined
        : 'Letters, digits, spaces, dots, hyphens and underscores; the first one a letter or a digit; at most 63.',
    layout: draft.layout.trim() === '' ? 'At least {name}.' : undefined,
    pattern: draft.unit === 'folder' ? undefined : faultOfPattern(pattern, draft.unit === 'files'),
    markers:
      draft.sign !== 'marker'
        ? undefined
        : lines(markers).length === 0
          ? 'At least one file.'
          : faultOfLines(markers, 10),
    unfinished: faultOfLines(draft.unfinished, 20),
    minutes:
      readMinutes(draft.minutes) === undefined ? 'A number of minutes, at most 10080, which is a week.' : undefined,
    ignore: faultOfLines(draft.ignore, 100),
    id_template: draft.id_template.trim() === '' ? 'A template such as {name}.' : undefined,
    title_template: draft.title_template.trim() === '' ? 'A template such as {name}.' : undefined,
    fields: fields.every((field) => isEmpty(field) || isWhole(field))
      ? undefined
      : 'Each field needs a name of lower-case letters, digits and underscores, a file and a key.',
  };
  return Object.fromEntries(Object.entries(found).filter(([, fault]) => fault !== undefined));
}

function faultOfPattern(pattern: string, shared: boolean): string | undefined {
  if (pattern.trim() === '') return shared ? 'A pattern such as {name}_*.raw.' : 'A pattern such as *.raw.';
  return shared && !pattern.includes('{name}') ? 'The part that the files share is written as {name}.' : undefined;
}

const isWhole = ({ name, from, key }: CaptureField): boolean =>
  /^[a-z][a-z0-9_]{0,39}$/.test(name.trim()) && from.trim() !== '' && key.trim() !== '';

/** Whether a draft can be sent. */
export function isReady(draft: RuleDraft): boolean {
  return (
    draft.folder !== '' &&
    draft.name.trim() !== '' &&
    draft.owner.trim() !== '' &&
    Object.keys(faultsOf(draft)).length === 0
  );
}

/** Settings that stand behind More, where a fault would not be seen. */
const behindMore: readonly (keyof RuleDraft)[] = [
  'layout',
  'pattern',
  'markers',
  'unfinished',
  'minutes',
  'ignore',
  'id_template',
  'title_template',
  'fields',
];

export function hasHiddenFault(faults: RuleFaults): boolean {
  return behindMore.some((name) => faults[name] !== undefined);
}
