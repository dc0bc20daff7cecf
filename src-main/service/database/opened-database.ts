import type { StoreContext } from './store-context.ts';

/** An open database as stores see it. */
export interface OpenedDatabase {
  readonly context: StoreContext;
  close(): Promise<void>;
}
