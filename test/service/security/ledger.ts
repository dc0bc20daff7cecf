/** Every secret that a run has seen, with its kind. */
export interface Ledger {
  readonly secrets: ReadonlyMap<string, string>;
  /** @returns the secret, so that it can be noted where it is read. */
  note(what: string, secret: string): string;
}

/** Shorter ones would be found by chance. */
const shortest = 6;

export function ledger(): Ledger {
  const secrets = new Map<string, string>();
  return {
    secrets,
    note: (what, secret) => {
      if (secret.length < shortest) throw new Error(`${what} is too short to be searched: ${secret.length} characters`);
      if (!secrets.has(secret)) secrets.set(secret, what);
      return secret;
    },
  };
}
