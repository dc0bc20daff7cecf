import { lifetimes } from '../../src-main/service/oauth/shared/types.ts';

/**
 * Certainty of a fact: confirmed by a response, requested without a response, or the opposite
 * confirmed.
 */
export type Certainty = 'yes' | 'perhaps' | 'no';

/** Every kind of write, counted by its confirmed responses. */
export const kindsOfWrites = [
  'registration',
  'removal',
  'restoration',
  'removal for good',
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
  /** The time of a refresh whose response was not received. */
  lost: number | null;
}

/**
 * Whether the family has ended. After a lost refresh the old pair stays valid for a minute
 * (refreshGrace), then using it ends the family; long before that the state is unknown.
 */
export function certaintyOf({ ended, lost }: Family): Certainty {
  return ended === 'no' && lost !== null && Date.now() - lost > lifetimes.refreshGrace / 3 ? 'perhaps' : ended;
}

/** All responses of the service so far, over all its processes. */
export interface Expected {
  /** Number of responses of each kind. */
  readonly answers: Map<KindOfWrite, number>;
  /** Accepted registrations, each with the content of its one file. */
  readonly measurements: Map<string, { readonly content: string; removed: Certainty }>;
  /** Jobs by number, each with its measurement. */
  readonly jobs: Map<number, string>;
  readonly tokens: Map<number, { readonly secret: string; revoked: Certainty }>;
  /** Grants by `measurement user`. */
  readonly grants: Map<string, { readonly id: number; readonly measurement: string; there: Certainty }>;
  readonly users: Map<number, { readonly username: string; blocked: Certainty }>;
  /** Session cookies of users. */
  readonly sessions: Map<string, { ended: Certainty }>;
  readonly families: Family[];
  /** Events of SDKs. */
  readonly events: Set<string>;
  /**
   * Retention has made room on a full disk: answered events may be gone, and counters outlive them.
   */
  madeRoom: boolean;
  readonly statuses: Map<string, string>;
  /** Errors that were merged into others. */
  readonly merged: Set<string>;
  /** Possible current ignore lists: the last confirmed one, and those requested since. */
  settings: string[];
  /** Backup files, each with the numbers of events and tokens confirmed before its request. */
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

/** Records that a write was confirmed. */
export function answered({ answers }: Expected, kind: KindOfWrite): void {
  answers.set(kind, (answers.get(kind) ?? 0) + 1);
}

/** Kinds with too few responses to be conclusive. */
export function answeredTooSeldom({ answers }: Expected, least: number): readonly string[] {
  return kindsOfWrites
    .filter((kind) => (answers.get(kind) ?? 0) < least)
    .map((kind) => `${kind}: ${answers.get(kind) ?? 0} answered`);
}
