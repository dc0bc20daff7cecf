import { LRUCache } from 'lru-cache';
import { zip64From } from '../../../../src-shared/archive/zip-format.ts';
import { directoryLengthOf } from '../content/copy-archive.ts';
import type { FileRange, FileSelection } from '../../files/file-ranges.ts';
import type { FilesStore } from '../store/files-store.ts';
import type { MeasurementRow } from '../store/measurements-store.ts';
import { bordersOf, layOut, type PlaceOf, type SelectionLayout, type ShorterEntries } from './layout.ts';

const placesPerPage = 100;
/** Spans of all layouts that are kept, about 4 MB. */
const maxKeptSpans = 20_000;

/** Layouts of recent selections: whoever fetches one in ranges asks for it again and again. */
export class Layouts {
  readonly #kept = new LRUCache<string, SelectionLayout>({
    maxSize: maxKeptSpans,
    sizeCalculation: ({ spans }) => spans.length,
  });

  async of(
    files: Pick<FilesStore, 'placesOf' | 'atArchiveOffset'>,
    measurement: MeasurementRow,
    { ranges, digest }: FileSelection,
  ): Promise<SelectionLayout> {
    // The tag is a hash of the manifest, from which every place follows, so what is kept never changes.
    const key = `${measurement.archive_tag} ${digest}`;
    const kept = this.#kept.get(key);
    if (kept) return kept;
    const layout = await readLayout(files, measurement, ranges);
    this.#kept.set(key, layout);
    return layout;
  }
}

/**
 * Finds out where everything is in the archive of a selection, from the places of the members at
 * the borders of its ranges. No other rows are read, and no file.
 */
async function readLayout(
  files: Pick<FilesStore, 'placesOf' | 'atArchiveOffset'>,
  measurement: MeasurementRow,
  ranges: readonly FileRange[],
): Promise<SelectionLayout> {
  const indexes = ranges.flatMap(({ first, last }) => [first, last + 1]);
  const plain = layOut(ranges, await placesAt(files, measurement, indexes), null);
  if (measurement.archive_directory_offset <= zip64From) return plain;
  const shorter = await shorterEntries(files, measurement.id, plain);
  if (!shorter) return plain;
  return layOut(ranges, await placesAt(files, measurement, [...indexes, ...bordersOf(shorter)]), shorter);
}

async function placesAt(
  files: Pick<FilesStore, 'placesOf'>,
  measurement: MeasurementRow,
  indexes: readonly number[],
): Promise<PlaceOf> {
  const places = new Map<number, ReturnType<PlaceOf>>();
  for (let at = 0; at < indexes.length; at += placesPerPage) {
    for (const place of await files.placesOf(measurement.id, indexes.slice(at, at + placesPerPage)))
      places.set(place.idx, place);
    await new Promise(setImmediate);
  }
  places.set(measurement.file_count, {
    archive_offset: measurement.archive_directory_offset,
    directory_offset: directoryLengthOf(measurement),
  });
  return (index) => {
    const place = places.get(index);
    if (!place) throw new Error(`file ${index} of ${measurement.id} has no place in its archive`);
    return place;
  };
}

async function shorterEntries(
  files: Pick<FilesStore, 'atArchiveOffset'>,
  measurementId: string,
  { spans, directoryOffset }: SelectionLayout,
): Promise<ShorterEntries | null> {
  // A file that needs ZIP64 itself moves all behind it beyond the limit, so only the last member
  // below it can be one.
  const position = Math.min(directoryOffset, zip64From) - 1;
  const span = spans.find(({ at, length }) => position < at + length);
  const before = await files.atArchiveOffset(measurementId, zip64From - 1);
  const last = span && (await files.atArchiveOffset(measurementId, position + span.shift));
  if (!before || !last || last.idx <= before.idx) return null;
  return { first: before.idx + 1, last: last.idx, lengthOfLast: last.length };
}
