/** How sure it is that something holds: it was answered, it was asked for and no answer came, or the opposite was answered. */
export type Certainty = 'yes' | 'perhaps' | 'no';

/** What the service has answered so far, over all of its lives. */
export interface Expected {
  /** Registrations that were accepted, each with the content of its one file. */
  readonly measurements: Map<string, { readonly content: string; removed: Certainty }>;
  readonly tokens: Map<number, { readonly secret: string; revoked: Certainty }>;
  /** Grants by `measurement user`. */
  readonly grants: Map<string, { readonly id: number; readonly measurement: string; there: Certainty }>;
  readonly users: Map<number, { readonly username: string; blocked: Certainty }>;
  /** Cookies of sessions of users. */
  readonly sessions: Map<string, { ended: Certainty }>;
  /** The newest pair of each family of OAuth tokens. */
  readonly families: { access: string; refresh: string; ended: Certainty; busy: boolean }[];
  /** Events of SDKs. */
  readonly events: Set<string>;
  readonly statuses: Map<string, { status: string; sure: boolean }>;
  /** Errors that were merged into others. */
  readonly merged: Set<string>;
  /** Ignore lists that may be the one that counts: the last one answered, and those asked for since. */
  settings: string[];
  readonly backups: Set<string>;
  readonly fetches: Map<number, string>;
}

export function nothingExpected(): Expected {
  return {
    measurements: new Map(),
    tokens: new Map(),
    grants: new Map(),
    users: new Map(),
    sessions: new Map(),
    families: [],
    events: new Set(),
    statuses: new Map(),
    merged: new Set(),
    settings: [],
    backups: new Set(),
    fetches: new Map(),
  };
}
