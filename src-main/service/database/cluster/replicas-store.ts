import type { Database } from '../port/database.ts';
import { perEngine } from '../port/dialect.ts';
import { readValue, write } from '../port/query.ts';

/** The replicas as the database has them; none on SQLite. */
export interface ReplicasStore {
  live(): Promise<readonly number[]>;
  dead(): Promise<readonly number[]>;
  /** Notes that what a dead replica did was ended, so that it takes a new lease should it go on. */
  end(id: number): Promise<void>;
}

const isLive = perEngine('FALSE', 'lease_until > milliseconds_now()');

const live = readValue<[], number>(`SELECT id FROM replicas WHERE ${isLive}`);
const dead = readValue<[], number>(`SELECT id FROM replicas WHERE NOT ${isLive} AND ended_at IS NULL`);
const end = write<[number]>(
  `UPDATE replicas SET ended_at = ${perEngine('0', 'milliseconds_now()')} WHERE id = ? AND ended_at IS NULL AND NOT ${isLive}`,
);

export function replicasStore(database: Database): ReplicasStore {
  return {
    live: async () => database.all(live),
    dead: async () => database.all(dead),
    end: async (id) => void (await database.run(end, id)),
  };
}
