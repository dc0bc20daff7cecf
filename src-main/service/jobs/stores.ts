import { retryBackgroundForMs, retryWrites, retryWritesForMs } from '../database/sqlite/write-lock.ts';
import type { StoreContext } from '../database/store-context.ts';
import { jobsStore, type JobsStore } from './jobs-store.ts';

export interface JobStores {
  readonly jobs: JobsStore;
}

export function jobStores({ database, writeLock }: StoreContext): JobStores {
  return {
    jobs: retryWrites(writeLock, jobsStore(database), retryBackgroundForMs, {
      create: retryWritesForMs,
      act: retryWritesForMs,
    }),
  };
}
