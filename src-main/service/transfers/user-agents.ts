import type Database from 'better-sqlite3';

const maxLength = 300;
const maxTotal = 10_000;
const maxPerUserAndDay = 100;
const maxCached = 1000;
const day = 24 * 3600_000;
/** Stands for texts beyond the limits. */
const other = '(other)';

/**
 * Assigns ids to the texts of User-Agent headers, so that transfer rows store an id. Length, total
 * number and additions per user and day are limited, because clients choose the texts freely.
 */
export class UserAgents {
  readonly #find: Database.Statement<[string], number>;
  readonly #insert: Database.Statement<[string, number]>;
  readonly #used: Database.Statement<[number, number]>;
  readonly #count: Database.Statement<[], number>;
  readonly #known = new Map<string, { readonly id: number; readonly usedAt: number }>();
  #addedToday = new Map<number, number>();
  #today = 0;

  constructor(database: Database.Database) {
    this.#find = database.prepare<[string], number>('SELECT id FROM user_agents WHERE text = ?').pluck();
    this.#insert = database.prepare('INSERT INTO user_agents (text, used_at) VALUES (?, ?)');
    this.#used = database.prepare('UPDATE user_agents SET used_at = ? WHERE id = ?');
    this.#count = database.prepare<[], number>('SELECT count(*) FROM user_agents').pluck();
  }

  /** Returns the id of a text; call it within a transaction. */
  idOf(text: string | null, userId: number, now: number): number | null {
    if (text === null) return null;
    const known = this.#known.get(text);
    if (known && now - known.usedAt < day) return known.id;
    const cut = text.slice(0, maxLength);
    const id = this.#find.get(cut) ?? this.#add(cut, userId, now);
    this.#used.run(now, id);
    if (this.#known.size >= maxCached) this.#known.clear();
    this.#known.set(text, { id, usedAt: now });
    return id;
  }

  /** Clears the cache after a failed transaction, whose new ids were rolled back. */
  forget(): void {
    this.#known.clear();
  }

  #add(text: string, userId: number, now: number): number {
    const today = Math.floor(now / day);
    if (today !== this.#today) this.#addedToday = new Map();
    this.#today = today;
    const added = this.#addedToday.get(userId) ?? 0;
    const allowed = text === other || (added < maxPerUserAndDay && (this.#count.get() ?? 0) < maxTotal);
    if (!allowed) return this.#find.get(other) ?? this.#add(other, userId, now);
    this.#addedToday.set(userId, added + 1);
    return Number(this.#insert.run(text, now).lastInsertRowid);
  }
}
