import type { NotificationKind, NotificationRule, NotificationRuleInput } from '../../../api/requests/types.ts';

/** A rule as it is edited: quiet hours keep their ends while they are switched off. */
export interface RuleDraft extends Omit<NotificationRuleInput, 'quiet_from' | 'quiet_until'> {
  readonly isQuiet: boolean;
  readonly quietFrom: number;
  readonly quietUntil: number;
}

/** Facts of the user that decide what a rule may be. */
export interface RuleAuthor {
  readonly isAdministrator: boolean;
  /** The address of the account; null where it has none. */
  readonly email: string | null;
}

const firstQuietHours = { quietFrom: 22, quietUntil: 7 };

/** A new rule, by mail where that is possible. */
export function newDraft({ email }: RuleAuthor, hasMailServer: boolean): RuleDraft {
  const byMail = hasMailServer && email !== null;
  return {
    name: '',
    kinds: [],
    everybody: false,
    project_id: null,
    channel: byMail ? 'mail' : 'webhook',
    to: byMail ? email : '',
    digest: 'none',
    paused: false,
    isQuiet: false,
    ...firstQuietHours,
  };
}

/** An existing rule, to be changed. */
export function draftOf({ quiet_from: from, quiet_until: until, ...rule }: NotificationRule): RuleDraft {
  const isQuiet = from !== null && until !== null;
  return {
    name: rule.name,
    kinds: rule.kinds,
    everybody: rule.everybody,
    project_id: rule.project_id,
    channel: rule.channel,
    to: rule.to,
    digest: rule.digest,
    paused: rule.paused,
    isQuiet,
    ...(isQuiet ? { quietFrom: from, quietUntil: until } : firstQuietHours),
  };
}

/** The rule as it is sent to the service. */
export function inputOf({ isQuiet, quietFrom, quietUntil, ...draft }: RuleDraft): NotificationRuleInput {
  return {
    ...draft,
    name: draft.name.trim(),
    to: draft.to.trim(),
    quiet_from: isQuiet ? quietFrom : null,
    quiet_until: isQuiet ? quietUntil : null,
  };
}

/** The settings of an existing rule, with some of them changed. */
export function changedInput(rule: NotificationRule, change: Partial<NotificationRuleInput>): NotificationRuleInput {
  return { ...inputOf(draftOf(rule)), ...change };
}

export function withKind(draft: RuleDraft, kind: NotificationKind, isChosen: boolean): RuleDraft {
  const others = draft.kinds.filter((one) => one !== kind);
  return { ...draft, kinds: isChosen ? [...others, kind] : others };
}

/** An address of the other channel is of no use; that of the account is proposed for mail. */
export function withChannel(draft: RuleDraft, channel: RuleDraft['channel'], { email }: RuleAuthor): RuleDraft {
  return channel === draft.channel ? draft : { ...draft, channel, to: channel === 'mail' ? (email ?? '') : '' };
}

export type RuleFaults = Partial<Record<'name' | 'to' | 'quiet', string>>;

/**
 * Faults of what was typed that the service would refuse, as far as the page can tell. An empty
 * field has none yet.
 *
 * @param taken names of the user's other rules
 */
export function faultsOf(draft: RuleDraft, taken: readonly string[]): RuleFaults {
  const name = draft.name.trim();
  const isTaken = taken.some((other) => other.toLowerCase() === name.toLowerCase());
  const found: Record<keyof RuleFaults, string | undefined> = {
    name:
      name === '' || /^[A-Za-z0-9][A-Za-z0-9 ._-]{0,62}$/.test(name)
        ? isTaken
          ? 'Another of your rules has this name.'
          : undefined
        : 'Letters, digits, spaces, dots, hyphens and underscores; the first one a letter or a digit; at most 63.',
    to: draft.to.trim() === '' ? undefined : faultOfTarget(draft.channel, draft.to.trim()),
    quiet: draft.isQuiet && draft.quietFrom === draft.quietUntil ? 'Choose two different hours.' : undefined,
  };
  return Object.fromEntries(Object.entries(found).filter(([, fault]) => fault !== undefined));
}

/** The same form of an address that the service takes. */
const mailAddress = /^[^\s@<>"(),:;\\[\]]{1,64}@[A-Za-z0-9.-]{1,255}$/;

function faultOfTarget(channel: RuleDraft['channel'], to: string): string | undefined {
  if (channel === 'mail') return mailAddress.test(to) ? undefined : 'An address such as alice@lab.example.';
  const url = URL.canParse(to) ? new URL(to) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) return 'An address such as https://chat.lab.example/hooks/7.';
  return url.username === '' && url.password === ''
    ? undefined
    : 'An address without a user name and a password: messages are signed instead.';
}

/** Whether a draft can be sent. */
export function isReady(draft: RuleDraft, faults: RuleFaults): boolean {
  return (
    draft.name.trim() !== '' &&
    draft.kinds.length > 0 &&
    draft.to.trim() !== '' &&
    Object.values(faults).every((fault) => fault === undefined)
  );
}
