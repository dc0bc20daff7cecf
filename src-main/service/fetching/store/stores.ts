import type { StoreContext } from '../../database/store-context.ts';
import type { Journal } from '../engine/types.ts';
import { fetchFilesStore, type FetchFilesStore } from './fetch-files-store.ts';
import { fetchListStore, type FetchListStore } from './fetch-list-store.ts';
import { fetchesStore, type FetchesStore } from './fetches-store.ts';
import { journalStore } from './journal-store.ts';

export interface FetchStores {
  readonly fetches: FetchesStore;
  readonly fetchFiles: FetchFilesStore;
  readonly fetchList: FetchListStore;
  /** The persistent download state of fetches. */
  readonly fetchJournal: Journal;
}

export function fetchStores({ local, background }: StoreContext): FetchStores {
  const { connection: database, groupCommit } = local;
  return {
    fetches: background(fetchesStore(database, groupCommit)),
    fetchFiles: background(fetchFilesStore(database, groupCommit)),
    fetchList: fetchListStore(database),
    fetchJournal: background(journalStore(database, groupCommit)),
  };
}
