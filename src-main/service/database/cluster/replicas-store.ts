import type { Database } from '../port/database.ts';
import { perEngine } from '../port/dialect.ts';
import { readValue, write } from '../port/query.ts';

/** The replicas as the database has them; none on SQLite. */
export interface ReplicasStore {
  live(): Promise<readonly number[]>;
  dead(): Promise<readonly number[]>;
  /** Forgets a dead replica. */
  remove(id: number): Promise<void>;
}

const isLive = perEngine('FALSE', 'lease_until > milliseconds_now()');

const live = readValue<[], number>(`SELECT id FROM replicas WHERE ${isLive}`);
const dead = readValue<[], number>(`SELECT id FROM replicas WHERE NOT ${isLive}`);
const remove = write<[number]>(`DELETE FROM replicas WHERE id = ? AND NOT ${isLive}`);

export function replicasStore(database: Database): ReplicasStore {
  return {
    live: async () => database.all(live),
    dead: async () => database.all(dead),
    remove: async (id) => void (await database.run(remove, id)),
  };
}
