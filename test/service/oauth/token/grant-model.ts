import type Database from 'better-sqlite3';
import { isNotSame, textFor } from '../../../../src-main/service/database/port/dialect.ts';
import { lifetimes } from '../../../../src-main/service/oauth/shared/types.ts';

export interface Family {
  readonly code: string;
  readonly codeUntil: number;
  isUsed: boolean;
  hasEnded: boolean;
  grantId: number | null;
}

export interface Token {
  readonly family: Family;
  readonly previous: Token | null;
  readonly access: string;
  readonly refresh: string;
  readonly until: number;
  readonly accessUntil: number;
  refreshedAt: number | null;
  isReplaced: boolean;
  wasUsed: boolean;
}

/** A model of the tables in memory, without the database. */
export class Model {
  readonly families: Family[] = [];
  readonly tokens: Token[] = [];

  add(family: Family, previous: Token | null, access: string, refresh: string | null): void {
    this.tokens.push({
      family,
      previous,
      access,
      refresh: refresh ?? '',
      until: Date.now() + lifetimes.refreshIdle,
      accessUntil: Date.now() + lifetimes.accessToken,
      refreshedAt: null,
      isReplaced: false,
      wasUsed: false,
    });
  }

  use(token: Token): void {
    if (!token.wasUsed && token.previous) token.previous.isReplaced = true;
    token.wasUsed = true;
  }

  refusalOf(token: Token): string | null {
    if (token.family.hasEnded) return 'ended';
    const isLate = token.refreshedAt !== null && Date.now() >= token.refreshedAt + lifetimes.refreshGrace;
    if (isLate || token.isReplaced) return 'reused';
    return Date.now() >= token.until ? 'expired' : null;
  }
}

/** Triggers that note each row that leaves a last state. */
export function watchMoves(watched: Database.Database, postgres: boolean): void {
  const moves = [
    ['grant', 'oauth_grants', 'revoked_at', 'old.revoked_at IS NOT NULL'],
    ['code', 'oauth_codes', 'used_at', 'old.used_at IS NOT NULL'],
    [
      'token',
      'oauth_tokens',
      'refreshed_at, revoked_at',
      `${isNotSame('ifnull(old.refreshed_at, new.refreshed_at)', 'new.refreshed_at')} OR ${isNotSame('ifnull(old.revoked_at, new.revoked_at)', 'new.revoked_at')}`,
    ],
  ] as const;
  watched.exec('CREATE TABLE moves (what TEXT)');
  for (const [what, table, columns, when] of moves) {
    const trigger = `CREATE TRIGGER ${what}_moved AFTER UPDATE OF ${columns} ON ${table} FOR EACH ROW WHEN (${textFor(postgres ? 'postgres' : 'sqlite', when)})`;
    const note = `INSERT INTO moves VALUES ('${what}');`;
    if (postgres)
      watched.exec(`CREATE FUNCTION note_${what}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${note} RETURN NULL; END $$;
        ${trigger} EXECUTE FUNCTION note_${what}()`);
    else watched.exec(`${trigger} BEGIN ${note} END`);
  }
}
