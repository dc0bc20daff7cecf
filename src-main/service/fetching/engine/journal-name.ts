/** Where `benchport download` keeps its journal, in the folder that it fetches into. */
export const journalName = { folder: '.benchport-fetch', file: 'journal.db' } as const;
