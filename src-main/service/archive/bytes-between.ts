import { directoryEntryLength, localHeaderLength, zip64From } from '../../../src-shared/archive/zip-format.ts';

/** Columns of a file that say where its member lies. */
export interface MemberPlace {
  readonly length: number;
  readonly archive_offset: number;
  readonly directory_offset: number;
}

/** Reads the place of the file with an index; its steps are those of the caller's database. */
type PlaceAt<Step> = (index: number) => Generator<Step, MemberPlace, unknown>;

/** By how much the entry of a member in the central directory is longer than its local header. */
function surplus(length: number, offset: number): number {
  return directoryEntryLength({ path: '', length }, offset) - localHeaderLength({ path: '', length });
}

const surplusOfMost = surplus(0, 0);
const surplusBehind4GiB = surplus(0, zip64From);
const surplusOfLarge = surplus(zip64From, zip64From);

/**
 * Computes the sum of the lengths of the files from index `first` to `last` from the offsets of their
 * archive members, without reading the rows between: both headers of a member contain its name, so
 * their difference does not depend on it. Only files of more than 4 GiB have to be looked for.
 */
export function* bytesBetween<Step>(at: PlaceAt<Step>, first: number, last: number): Generator<Step, number, unknown> {
  const begin = yield* at(first);
  const end = yield* at(last);
  // The first member whose offset needs ZIP64.
  let low = first;
  let high = last;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if ((yield* at(middle)).archive_offset < zip64From) low = middle + 1;
    else high = middle;
  }
  const near = low - first;
  const far = last - low;
  const large = far === 0 ? 0 : yield* largeFiles(at, low, last);
  return (
    end.archive_offset -
    begin.archive_offset -
    (end.directory_offset - begin.directory_offset) +
    near * surplusOfMost +
    (far - large) * surplusBehind4GiB +
    large * surplusOfLarge +
    end.length
  );
}

/**
 * Counts the files of more than 4 GiB from `first` up to but excluding `last`: only stretches of the
 * archive that can hold one are read.
 */
function* largeFiles<Step>(at: PlaceAt<Step>, first: number, last: number): Generator<Step, number, unknown> {
  const stretches: [number, number][] = [[first, last]];
  let count = 0;
  for (let next = stretches.pop(); next !== undefined; next = stretches.pop()) {
    const [from, to] = next;
    const begin = yield* at(from);
    if (to - from === 1) {
      if (begin.length >= zip64From) count += 1;
      continue;
    }
    if ((yield* at(to)).archive_offset - begin.archive_offset < zip64From) continue;
    const middle = Math.floor((from + to) / 2);
    stretches.push([from, middle], [middle, to]);
  }
  return count;
}
