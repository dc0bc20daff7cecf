import type { Delivery, NotificationKind, NotificationRule } from '../api/requests/types.ts';

/** Groups of kinds, in the order of the form. */
const kindGroups = {
  measurements: 'Measurements',
  folders: 'Watched folders',
  copies: 'Copies on other servers',
  errors: 'Errors of lab software',
  account: 'Your account',
  service: 'This service',
} as const;
type KindGroup = keyof typeof kindGroups;

interface KindWords {
  readonly group: KindGroup;
  /** As a choice in the form. */
  readonly label: string;
  /** In a list of kinds, and before a title. */
  readonly short: string;
  /** Whether only administrators hear of it. */
  readonly isForAdministrators?: true;
  /** Of which of them others than administrators hear. */
  readonly whenNoAdministrator?: string;
}

export const kindWords: Readonly<Record<NotificationKind, KindWords>> = {
  'run-registered': { group: 'measurements', label: 'A measurement is registered', short: 'Registered' },
  degraded: { group: 'measurements', label: 'A file is not as it was registered', short: 'Degraded' },
  'run-stuck': {
    group: 'folders',
    label: 'A run needs a decision',
    short: 'Run needs you',
    whenNoAdministrator: 'Only of folders whose rule names you.',
  },
  'copy-verified': { group: 'copies', label: 'A copy is verified', short: 'Copy verified' },
  'copy-lost': { group: 'copies', label: 'A server no longer has a copy', short: 'Copy lost' },
  'copy-late': { group: 'copies', label: 'A copy makes no progress for a day', short: 'Copy is late' },
  'error-new': { group: 'errors', label: 'An error is new', short: 'New error' },
  'error-regressed': { group: 'errors', label: 'A resolved error is back', short: 'Error is back' },
  'error-storm': { group: 'errors', label: 'Far more errors than usual', short: 'Storm of errors' },
  'ending-soon': { group: 'account', label: 'A token or certificate expires soon', short: 'Expires soon' },
  'sign-in-new-place': {
    group: 'account',
    label: 'You sign in from a new place',
    short: 'Sign-in from a new place',
  },
  'disk-low': { group: 'service', label: 'A disk has little space', short: 'Little space', isForAdministrators: true },
  'bench-silent': {
    group: 'service',
    label: 'A bench reports no more',
    short: 'Bench silent',
    isForAdministrators: true,
  },
  'backup-late': {
    group: 'service',
    label: 'A backup failed or is late',
    short: 'No backup',
    isForAdministrators: true,
  },
};

/** All kinds, in the order of the form. */
export const allKinds = Object.keys(kindWords) as readonly NotificationKind[];

/** The kinds by the title of their group; groups without any are left out. */
export const kindsByGroup: readonly (readonly [title: string, kinds: readonly NotificationKind[]])[] = Object.entries(
  kindGroups,
)
  .map(([group, title]) => [title, allKinds.filter((kind) => kindWords[kind].group === group)] as const)
  .filter(([, kinds]) => kinds.length > 0);

/** The kinds of a rule as one line. */
export function wordsOfKinds(kinds: readonly NotificationKind[]): string {
  return allKinds
    .filter((kind) => kinds.includes(kind))
    .map((kind) => kindWords[kind].short)
    .join(', ');
}

export const digestWords: Readonly<Record<NotificationRule['digest'], string>> = {
  none: 'At once',
  hourly: 'Once an hour',
  daily: 'Once a day, at 8:00',
};

export const deliveryWords: Readonly<Record<Delivery['state'], string>> = {
  waiting: 'Waiting',
  sent: 'Sent',
  'given-up': 'Given up',
};

const hourText = (hour: number): string => `${hour}:00`;

/** The hours without messages; null where there are none. */
export function quietWords({ quiet_from: from, quiet_until: until }: QuietHours): string | null {
  return from === null || until === null || from === until ? null : `${hourText(from)} to ${hourText(until)}`;
}
type QuietHours = Pick<NotificationRule, 'quiet_from' | 'quiet_until'>;

/** When a rule sends, as one line. */
export function whenWords(rule: QuietHours & Pick<NotificationRule, 'digest'>): string {
  const quiet = quietWords(rule);
  return quiet === null ? digestWords[rule.digest] : `${digestWords[rule.digest]}, not from ${quiet}`;
}

/** Advice for a user about a rule whose last attempt failed. */
export function remedyOf(rule: Pick<NotificationRule, 'channel' | 'paused'>, hasMailServer: boolean): string {
  if (rule.channel === 'mail' && !hasMailServer)
    return 'No mail server is set. What waits is sent once an administrator sets one.';
  const look =
    rule.channel === 'mail'
      ? 'Send a test to see the dialogue with the mail server.'
      : 'Send a test to see how the receiver answers.';
  return rule.paused
    ? `${look} Correct the address, then resume the rule.`
    : `${look} What waits is sent again by itself, for almost two days.`;
}

/** The clock that quiet hours and daily messages follow, for a person who may be elsewhere. */
export function clockWords(choices: { readonly time_zone: string; readonly utc_offset_minutes: number }, now: Date) {
  const there = new Date(now.getTime() + choices.utc_offset_minutes * 60_000).toISOString().slice(11, 16);
  return `Local time of the service: ${choices.time_zone}, now ${there}.`;
}
