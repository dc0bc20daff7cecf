import { retryBackgroundForMs, retryWrites, retryWritesForMs } from '../database/write-lock.ts';
import type { StoreContext } from '../database/store-context.ts';
import { jobsStore } from './jobs-store.ts';

export function jobStores({ database, writeLock }: StoreContext) {
  return {
    jobs: retryWrites(writeLock, jobsStore(database), retryBackgroundForMs, {
      create: retryWritesForMs,
      act: retryWritesForMs,
    }),
  };
}

export type JobStores = ReturnType<typeof jobStores>;
