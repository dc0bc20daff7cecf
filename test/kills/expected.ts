import { lifetimes } from '../../src-main/service/oauth/shared/types.ts';

/** How sure it is that something holds: it was answered, it was asked for and no answer came, or the opposite was answered. */
export type Certainty = 'yes' | 'perhaps' | 'no';

/** Every kind of write, by what was done when it is answered. */
export const kindsOfWrites = [
  'registration',
  'removal',
  'token made',
  'token revoked',
  'grant',
  'grant taken back',
  'user made',
  'user blocked or not',
  'signed in',
  'signed out',
  'OAuth tokens',
  'refresh',
  'revocation',
  'event',
  'merge',
  'status',
  'setting',
  'backup',
  'fetch',
] as const;
export type KindOfWrite = (typeof kindsOfWrites)[number];

/** The newest pair of a family of OAuth tokens. */
export interface Family {
  access: string;
  refresh: string;
  ended: Certainty;
  busy: boolean;
  /** When a refresh was requested whose response was not received. */
  lost: number | null;
}

/**
 * Whether the family has ended. Where the answer to a refresh was lost, the old pair goes on for a minute (refreshGrace), after which using it once more ends
 * the family: of those nothing is known long before the minute is over.
 */
export function certaintyOf({ ended, lost }: Family): Certainty {
  return ended === 'no' && lost !== null && Date.now() - lost > lifetimes.refreshGrace / 3 ? 'perhaps' : ended;
}

/** All responses of the service so far, over all its lives. */
export interface Expected {
  /** How many of each kind. */
  readonly answers: Map<KindOfWrite, number>;
  /** Registrations that were accepted, each with the content of its one file. */
  readonly measurements: Map<string, { readonly content: string; removed: Certainty }>;
  /** Jobs by their numbers, each with the measurement that it is for. */
  readonly jobs: Map<number, string>;
  readonly tokens: Map<number, { readonly secret: string; revoked: Certainty }>;
  /** Grants by `measurement user`. */
  readonly grants: Map<string, { readonly id: number; readonly measurement: string; there: Certainty }>;
  readonly users: Map<number, { readonly username: string; blocked: Certainty }>;
  /** Cookies of sessions of users. */
  readonly sessions: Map<string, { ended: Certainty }>;
  readonly families: Family[];
  /** Events of SDKs. */
  readonly events: Set<string>;
  /** Retention has made room on a full disk: events that were answered may be gone, and counts outlive them. */
  madeRoom: boolean;
  readonly statuses: Map<string, string>;
  /** Errors that were merged into others. */
  readonly merged: Set<string>;
  /** Ignore lists that may be the one that counts: the last one answered, and those asked for since. */
  settings: string[];
  /** Files of backups, each with how many events and tokens were answered before it was asked for. */
  readonly backups: Map<string, { readonly events: number; readonly tokens: number }>;
  readonly fetches: Map<number, string>;
}

export function nothingExpected(): Expected {
  return {
    answers: new Map(),
    measurements: new Map(),
    jobs: new Map(),
    tokens: new Map(),
    grants: new Map(),
    users: new Map(),
    sessions: new Map(),
    families: [],
    events: new Set(),
    madeRoom: false,
    statuses: new Map(),
    merged: new Set(),
    settings: [],
    backups: new Map(),
    fetches: new Map(),
  };
}

/** Notes that a write was answered as done. */
export function answered({ answers }: Expected, kind: KindOfWrite): void {
  answers.set(kind, (answers.get(kind) ?? 0) + 1);
}

/** Kinds with too few responses to be conclusive. */
export function answeredTooSeldom({ answers }: Expected, least: number): readonly string[] {
  return kindsOfWrites
    .filter((kind) => (answers.get(kind) ?? 0) < least)
    .map((kind) => `${kind}: ${answers.get(kind) ?? 0} answered`);
}
