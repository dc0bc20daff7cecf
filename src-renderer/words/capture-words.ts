import type {
  CaptureField,
  CaptureReason,
  CaptureRule,
  CaptureRuleInput,
  CaptureRuleState,
  CaptureRun,
  CaptureState,
} from '../api/requests/types.ts';

export interface StateWords {
  readonly word: string;
  readonly kind: 'ok' | 'warn' | 'bad' | 'neutral';
}

export const captureStateWords: Readonly<Record<CaptureState, StateWords>> = {
  seen: { word: 'Seen', kind: 'neutral' },
  growing: { word: 'Growing', kind: 'neutral' },
  quiet: { word: 'Being confirmed', kind: 'neutral' },
  hashing: { word: 'Being registered', kind: 'neutral' },
  registered: { word: 'Registered', kind: 'ok' },
  pushed: { word: 'Registered and copied', kind: 'ok' },
  'needs-you': { word: 'Needs you', kind: 'warn' },
  'changed-after': { word: 'Changed since', kind: 'warn' },
  skipped: { word: 'Skipped', kind: 'neutral' },
  gone: { word: 'Gone', kind: 'neutral' },
};

export const ruleStateWords: Readonly<Record<CaptureRuleState, StateWords>> = {
  starting: { word: 'Starting', kind: 'neutral' },
  watching: { word: 'Watching', kind: 'ok' },
  paused: { word: 'Paused', kind: 'neutral' },
  unreachable: { word: 'Unreachable', kind: 'bad' },
};

interface ReasonWords {
  readonly what: string;
  /** Advice for a person; empty where nothing has to be done. */
  readonly remedy: string;
}

/** For reasons that come without a message of the service. */
const reasonWords: Readonly<Record<CaptureReason, ReasonWords>> = {
  'no-sign': { what: 'The sign that it is complete has not come.', remedy: 'Check the instrument.' },
  unfinished: {
    what: 'A file in it says that the instrument still writes.',
    remedy: 'Check the instrument if that takes too long.',
  },
  empty: { what: 'It has no files.', remedy: 'Skip it, or check where the instrument writes.' },
  unreadable: {
    what: 'Some of its files cannot be read.',
    remedy: 'Let your account on this computer read them, then retry.',
  },
  'refused-names': {
    what: 'Some of its file names cannot be registered.',
    remedy: 'Rename the files, or register the run without them.',
  },
  'no-id': {
    what: 'The rule makes no valid id for it.',
    remedy: 'Retry with an id of your own, or change the rule.',
  },
  'id-taken': { what: 'Another measurement has its id.', remedy: 'Retry with another one.' },
  'no-field': {
    what: 'A value that the rule reads from its files was not found.',
    remedy: 'Check the file and the key in the rule, then retry.',
  },
  'unknown-owner': {
    what: 'No user has the name of its owner.',
    remedy: 'Add the user or change the rule, then retry.',
  },
  'unknown-project': {
    what: 'Its project does not exist.',
    remedy: 'Create the project or change the rule, then retry.',
  },
  'unknown-reader': {
    what: 'A reader that the rule names does not exist.',
    remedy: 'Add the user or change the rule, then retry.',
  },
  'no-server': {
    what: 'The server for its copy is no longer known.',
    remedy: 'Choose another one in the rule, then retry.',
  },
  failed: { what: 'It could not be registered.', remedy: 'Retry, or skip it.' },
  changed: {
    what: 'Its files are no longer those that were registered.',
    remedy: 'Register them as another measurement, or keep what was registered.',
  },
  'there-before': { what: 'It was there before the rule.', remedy: '' },
  'by-hand': { what: 'Somebody chose to skip it.', remedy: '' },
  'measurement-removed': { what: 'Its measurement was removed.', remedy: '' },
};

type Reasoned = Pick<CaptureRun, 'message' | 'reason'>;

/** Why a run is where it is, and what to do; null where there is nothing to say. */
export function whyOf({ message, reason }: Reasoned): string | null {
  if (message !== null || reason === null) return message;
  const { what, remedy } = reasonWords[reason];
  return remedy === '' ? what : `${what} ${remedy}`;
}

/** Why a rule would not register a run now. Nothing can be done with it yet but to change the rule. */
export function whyNotNow({ message, reason }: Reasoned): string | null {
  return message ?? (reason === null ? null : reasonWords[reason].what);
}

/** A duration of a rule, such as `10 minutes`. */
export function minutesWords(minutes: number): string {
  const [value, unit] =
    minutes < 1
      ? [minutes * 60, 'second']
      : minutes >= 60 && minutes % 60 === 0
        ? [minutes / 60, 'hour']
        : [minutes, 'minute'];
  const rounded = Math.round(value * 10) / 10;
  return `${rounded} ${unit}${rounded === 1 ? '' : 's'}`;
}

/** The sign of completion, in a few words. */
export function signWords({
  sign,
  markers,
  minutes,
}: Pick<CaptureRule, 'sign' | 'minutes'> & { readonly markers: readonly string[] }): string {
  if (sign === 'moved-in') return 'moved in';
  if (sign === 'quiet') return `quiet for ${minutesWords(minutes)}`;
  const files = markers.length < 2 ? markers.join('') : `${markers.slice(0, -1).join(', ')} and ${markers.at(-1)}`;
  return minutes === 0 ? files : `${files}, then quiet for ${minutesWords(minutes)}`;
}

/** When a run of a rule is complete, as a phrase. */
export function completeWords(rule: Parameters<typeof signWords>[0]): string {
  return `Complete ${rule.sign === 'marker' ? 'with' : 'when'} ${signWords(rule)}`;
}

/** Owner, storage and copy of the runs of a rule, in a few words. */
export function outcomeWords(rule: CaptureRule): string {
  const push = rule.push_to === null ? [] : [`copy on ${rule.push_server ?? 'a server that was removed'}`];
  return [`for ${rule.owner}`, rule.copy ? 'copied into the library' : 'left in place', ...push].join(' · ');
}

/** Names of the fields that templates of a rule may use. */
export function templateFields(layout: string, fields: readonly Pick<CaptureField, 'name'>[]): readonly string[] {
  const levels = [...layout.matchAll(/\{([^{}]+)\}/g)].map(([, name]) => name ?? '');
  const read = fields.map(({ name }) => name.trim()).filter((name) => name !== '');
  return [...new Set(['name', 'parent', 'date', 'rule', ...levels, ...read])];
}

export const unitWords: Readonly<Record<CaptureRuleInput['unit'], string>> = {
  folder: 'Each folder is a run',
  file: 'Each file is a run',
  files: 'Files that share a name are a run',
};
