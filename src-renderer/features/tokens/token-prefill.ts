import type { Scope } from '../../../src-main/service/contract/scope-meanings.ts';
import { scopesOfTokens } from '../scopes/scope-words.ts';
import { readAllTokensSearch, type AllTokensSearch } from './all-tokens-search.ts';

/**
 * Search parameters of the Tokens screen: a token to revoke, values for a new token with GitLab's
 * parameter names, or filters of all users' tokens.
 */
export interface TokensSearch extends AllTokensSearch {
  readonly revoke?: number;
  readonly name?: string;
  readonly scopes?: string;
}

const maxNameLength = 255;

/**
 * Reads the address `?name=bench%203&scopes=read_api,read_user`; the router has parsed numbers and
 * booleans already.
 */
export function readTokensSearch(search: Readonly<Record<string, unknown>>): TokensSearch {
  const text = (value: unknown): string | undefined =>
    ['string', 'number', 'boolean'].includes(typeof value) ? String(value) : undefined;
  const name = text(search['name']);
  const typed = text(search['search']);
  const scopes = text(search['scopes']);
  return {
    ...(typeof search['revoke'] === 'number' ? { revoke: search['revoke'] } : {}),
    ...(typed === undefined || typed === '' ? {} : { search: typed }),
    ...(name === undefined ? {} : { name }),
    ...(scopes === undefined ? {} : { scopes }),
    ...readAllTokensSearch(search),
  };
}

/** Values of a link for a new token. */
export interface TokenPrefill {
  readonly name: string;
  readonly scopes: readonly Scope[];
  /** Requested scopes that a token cannot have here. */
  readonly unknown: readonly string[];
}

/** Initial values of the form; null when no link asks for a token. */
export function prefillOf({ name, scopes }: TokensSearch): TokenPrefill | null {
  if (name === undefined && scopes === undefined) return null;
  // Links separate scopes by commas, some by spaces.
  const asked = [...new Set((scopes ?? '').split(/[\s,]+/).filter((scope) => scope !== ''))];
  return {
    name: (name ?? '').slice(0, maxNameLength),
    scopes: scopesOfTokens.filter((scope) => asked.includes(scope)),
    unknown: asked.filter((scope) => !(scopesOfTokens as readonly string[]).includes(scope)).slice(0, 20),
  };
}
