import type { StoreContext } from '../../database/store-context.ts';
import { fetchFilesStore } from './fetch-files-store.ts';
import { fetchListStore } from './fetch-list-store.ts';
import { fetchesStore } from './fetches-store.ts';
import { journalStore } from './journal-store.ts';

export function fetchStores({ local, background }: StoreContext) {
  const { connection: database, groupCommit } = local;
  return {
    fetches: background(fetchesStore(database, groupCommit)),
    fetchFiles: background(fetchFilesStore(database, groupCommit)),
    fetchList: fetchListStore(database),
    /** The persistent download state of fetches. */
    fetchJournal: background(journalStore(database, groupCommit)),
  };
}

export type FetchStores = ReturnType<typeof fetchStores>;
