/** Location of the journal of `benchport download`, relative to the target folder. */
export const journalName = { folder: '.benchport-fetch', file: 'journal.db' } as const;
