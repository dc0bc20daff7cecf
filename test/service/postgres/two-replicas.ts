import { afterAll, beforeAll } from 'vitest';
import type { OpenedDatabase } from '../../../src-main/service/database/opened-database.ts';
import { openPostgres } from '../../../src-main/service/database/postgres/open.ts';
import type { StoreContext } from '../../../src-main/service/database/store-context.ts';
import { createTestDatabase, execute, type TestDatabase } from './database.ts';

/** Rounds of each race. */
export const rounds = 200;

/** Two replicas on one database, for the tests of a file. */
export interface TwoReplicas {
  /** Makes a store on each of the two. */
  readonly both: <Store>(make: (context: StoreContext) => Store) => readonly [Store, Store];
  readonly url: () => string;
  readonly execute: (statement: string) => Promise<void>;
}

export function useTwoReplicas(): TwoReplicas {
  let made: TestDatabase;
  let replicas: readonly OpenedDatabase[];
  beforeAll(async () => {
    made = await createTestDatabase();
    const open = async () => openPostgres({ url: made.url, listenUrl: null, connections: 4 }, null, () => {});
    replicas = [await open(), await open()];
  });
  afterAll(async () => {
    await Promise.all(replicas.map(async (one) => one.close()));
    await made.remove();
  });
  return {
    both: (make) => {
      const [first, second] = replicas.map(({ context }) => make(context));
      if (!first || !second) throw new Error('two replicas are needed');
      return [first, second];
    },
    url: () => made.url,
    execute: async (statement) => execute(made.url, statement),
  };
}
