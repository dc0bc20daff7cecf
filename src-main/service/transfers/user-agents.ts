import { LRUCache } from 'lru-cache';
import type { Transaction } from '../database/port/database.ts';
import { readValue, write, writeValue } from '../database/port/query.ts';
import { one, returning, run } from '../database/port/steps.ts';

const maxLength = 300;
const maxTotal = 10_000;
const maxPerUserAndDay = 100;
const maxCached = 1000;
const day = 24 * 3600_000;
/** Stands for texts beyond the limits. */
const other = '(other)';

const find = readValue<[string], number>('SELECT id FROM user_agents WHERE text = ?');
const insert = writeValue<[string, number], number>(
  'INSERT INTO user_agents (text, used_at) VALUES (?, ?) RETURNING id',
);
const used = write<[number, number]>('UPDATE user_agents SET used_at = ? WHERE id = ?');
const count = readValue<[], number>('SELECT count(*) FROM user_agents');

interface Known {
  readonly id: number;
  readonly usedAt: number;
}

/** The user agents of one transaction. */
export interface UserAgentsWriter {
  /** The id of a text. */
  idOf(text: string | null, userId: number, now: number): Transaction<number | null>;
  /** Caches what the transaction wrote; to be called after its commit. */
  committed(): void;
}

/**
 * Assigns ids to the texts of User-Agent headers, so that transfer rows store an id. Length, total
 * number and additions per user and day are limited, because clients choose the texts freely.
 */
export class UserAgents {
  readonly #known = new LRUCache<string, Known>({ max: maxCached });
  #addedToday = new Map<number, number>();
  #today = 0;

  writer(): UserAgentsWriter {
    const learned = new Map<string, Known>();
    const added = new Map<number, number>();
    const knownOf = (text: string) => learned.get(text) ?? this.#known.get(text);
    const addedBy = (userId: number, now: number) => this.#addedOn(now, userId) + (added.get(userId) ?? 0);

    function* add(text: string, userId: number, now: number): Transaction<number | null> {
      const allowed =
        text === other || (addedBy(userId, now) < maxPerUserAndDay && ((yield* one(count)) ?? 0) < maxTotal);
      if (!allowed) return (yield* one(find, other)) ?? (yield* add(other, userId, now));
      added.set(userId, (added.get(userId) ?? 0) + 1);
      return yield* returning(insert, text, now);
    }

    return {
      *idOf(text, userId, now) {
        if (text === null) return null;
        const kept = knownOf(text);
        if (kept && now - kept.usedAt < day) return kept.id;
        const cut = text.slice(0, maxLength);
        const id = (yield* one(find, cut)) ?? (yield* add(cut, userId, now));
        if (id === null) return null;
        yield* run(used, now, id);
        learned.set(text, { id, usedAt: now });
        return id;
      },
      committed: () => {
        for (const [text, known] of learned) this.#known.set(text, known);
        for (const [userId, more] of added) this.#addedToday.set(userId, (this.#addedToday.get(userId) ?? 0) + more);
      },
    };
  }

  #addedOn(now: number, userId: number): number {
    const today = Math.floor(now / day);
    if (today !== this.#today) this.#addedToday = new Map();
    this.#today = today;
    return this.#addedToday.get(userId) ?? 0;
  }
}
