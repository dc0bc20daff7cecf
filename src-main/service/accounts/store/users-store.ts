import type { Database } from '../../database/port/database.ts';
import { ignoringCase, isNotSame, isSame } from '../../database/port/dialect.ts';
import { read, readValue, write, type WriteQuery } from '../../database/port/query.ts';
import { foldedKey } from '../../database/text-search.ts';
import { managedUserPage } from './managed-user-list.ts';
import type { UserPages, UserRow } from './user-rows.ts';

export interface NewUser {
  readonly username: string;
  readonly name: string;
  readonly email: string | null;
  readonly passwordHash: string | null;
  readonly isAdmin: boolean;
}

export interface UsersStore extends UserPages {
  /** @returns null when the user name or the e-mail address is taken, case-insensitively. */
  create(user: NewUser): Promise<UserRow | null>;
  /** Creates the first user. @returns null when a user exists. */
  createFirst(user: NewUser): Promise<UserRow | null>;
  byId(id: number): Promise<UserRow | null>;
  byUsername(username: string): Promise<UserRow | null>;
  /** Whether another user than this one has the e-mail address, case-insensitively. */
  byEmail(email: string): Promise<UserRow | null>;
  hasEmail(email: string, exceptUser: number | null): Promise<boolean>;
  all(): Promise<readonly UserRow[]>;
  /** The active administrator with the oldest account. */
  firstAdministrator(): Promise<UserRow | null>;
  /** Whether nobody has an account yet. */
  isEmpty(): Promise<boolean>;
  /** @returns false when no active administrator would remain. */
  setState(id: number, state: UserRow['state']): Promise<boolean>;
  /** @returns false when no active administrator would remain. */
  setAdmin(id: number, isAdmin: boolean): Promise<boolean>;
  /** @returns false when the new e-mail address is taken, case-insensitively. */
  setProfile(id: number, name: string, email: string | null): Promise<boolean>;
  /**
   * Deletes an account with everything that belongs to it. @returns false when no active
   * administrator would remain.
   */
  remove(id: number): Promise<boolean>;
  /**
   * Ids of measurements that the account owns, at most `limit`; it cannot be deleted while it owns
   * any.
   */
  measurementsOf(id: number, limit: number): Promise<readonly string[]>;
  setPassword(id: number, passwordHash: string): Promise<void>;
  recordSignIn(id: number, now: number): Promise<void>;
}

interface InsertValues extends Omit<NewUser, 'isAdmin'> {
  readonly emailKey: string | null;
  readonly isAdmin: number;
  readonly now: number;
}

const insertUnless = (taken: string): WriteQuery<InsertValues, UserRow> =>
  write(
    `INSERT INTO users (username, name, email, email_key, password_hash, is_admin, created_at)
     SELECT @username, @name, @email, @emailKey, @passwordHash, @isAdmin, @now WHERE NOT EXISTS (SELECT 1 FROM users ${taken})
     ON CONFLICT DO NOTHING RETURNING *`,
  );
const insert = insertUnless('WHERE email_key = @emailKey');
const insertFirst = insertUnless('');
const byId = read<[number], UserRow>('SELECT * FROM users WHERE id = ?');
const byEmail = read<[string], UserRow>('SELECT * FROM users WHERE email_key = ?');
const byUsername = read<[string], UserRow>(
  `SELECT * FROM users WHERE ${ignoringCase('username')} = ${ignoringCase('?')}`,
);
const withEmail = readValue<[string, number | null], number>(
  `SELECT id FROM users WHERE email_key = ? AND ${isNotSame('id', '?')}`,
);
const all = read<[], UserRow>(`SELECT * FROM users ORDER BY ${ignoringCase('username')}`);
const firstAdministrator = read<[], UserRow>(
  `SELECT * FROM users WHERE is_admin = 1 AND state = 'active' ORDER BY id LIMIT 1`,
);
const anyUser = readValue<[], number>('SELECT id FROM users LIMIT 1');
// Part of the statement, so that two administrators who demote each other concurrently, also by
// the command line, cannot both succeed.
const dispensable = `(is_admin = 0 OR state <> 'active' OR EXISTS
  (SELECT 1 FROM users AS other WHERE other.is_admin = 1 AND other.state = 'active' AND other.id <> users.id))`;
const setState = write<[string, number, string]>(
  `UPDATE users SET state = ? WHERE id = ? AND (? = 'active' OR ${dispensable})`,
);
const setAdmin = write<[number, number, number]>(
  `UPDATE users SET is_admin = ? WHERE id = ? AND (? = 1 OR ${dispensable})`,
);
// Users who share an address from a version that compared less strictly can still be renamed.
const setProfile = write<{ id: number; name: string; email: string | null; emailKey: string | null }>(
  `UPDATE users SET name = @name, email = @email, email_key = @emailKey WHERE id = @id
     AND (${isSame('email_key', '@emailKey')} OR NOT EXISTS (SELECT 1 FROM users AS other WHERE other.email_key = @emailKey AND other.id <> @id))
     AND NOT EXISTS (SELECT 1 FROM users AS other WHERE ${ignoringCase('other.email')} = ${ignoringCase('@email')} AND other.id <> @id)`,
);
const remove = write<[number]>(`DELETE FROM users WHERE id = ? AND ${dispensable}`);
const measurementsOf = readValue<[number, number], string>(
  `SELECT ifnull((SELECT measurement_id || ' (removed, but not for good)' FROM removed_measurements WHERE kept_id = measurements.id), id)
   FROM measurements WHERE owner_id = ? ORDER BY substr(id, 1, 1) = '-', id LIMIT ?`,
);
const setPassword = write<[string, number, number]>(
  'UPDATE users SET password_hash = ?, password_changed_at = ? WHERE id = ?',
);
const recordSignIn = write<[number, number]>(
  'UPDATE users SET last_sign_in_at = current_sign_in_at, current_sign_in_at = ? WHERE id = ?',
);

/** Users. */
export function usersStore(database: Database): UsersStore {
  return {
    create: async (user) => database.returning(insert, valuesOf(user)),
    createFirst: async (user) => database.returning(insertFirst, valuesOf(user)),
    byId: async (id) => database.one(byId, id),
    byEmail: async (email) => database.one(byEmail, foldedKey(email)),
    byUsername: async (username) => database.one(byUsername, username),
    hasEmail: async (email, exceptUser) => (await database.one(withEmail, foldedKey(email), exceptUser)) !== null,
    all: async () => database.all(all),
    firstAdministrator: async () => database.one(firstAdministrator),
    isEmpty: async () => (await database.one(anyUser)) === null,
    page: managedUserPage(database),
    setState: async (id, state) => (await database.run(setState, state, id, state)) > 0,
    setAdmin: async (id, isAdmin) => (await database.run(setAdmin, Number(isAdmin), id, Number(isAdmin))) > 0,
    setProfile: async (id, name, email) =>
      (await database.run(setProfile, { id, name, email, emailKey: keyOf(email) })) > 0,
    remove: async (id) => (await database.run(remove, id)) > 0,
    measurementsOf: async (id, limit) => database.all(measurementsOf, id, limit),
    setPassword: async (id, passwordHash) => void (await database.run(setPassword, passwordHash, Date.now(), id)),
    recordSignIn: async (id, now) => void (await database.run(recordSignIn, now, id)),
  };
}

function valuesOf(user: NewUser): InsertValues {
  return { ...user, emailKey: keyOf(user.email), isAdmin: Number(user.isAdmin), now: Date.now() };
}

function keyOf(email: string | null): string | null {
  return email === null ? null : foldedKey(email);
}
