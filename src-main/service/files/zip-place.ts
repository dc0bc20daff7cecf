import type { EntryPlace } from './hash-messages.ts';

/** Parses the `source` of a listed archive entry. */
export function parseEntryPlace(source: string): EntryPlace {
  const [headerOffset = 0, packedBytes = 0, method = 0, crc32 = 0, limit = 0] = source.split(':').map(Number);
  return { headerOffset, packedBytes, method, crc32, limit };
}

/** Formats the location of an archive entry as the `source` of a listed file. */
export function formatEntryPlace(place: EntryPlace): string {
  return [place.headerOffset, place.packedBytes, place.method, place.crc32, place.limit].join(':');
}
