import type { ByteSource } from '../../provider/byte-source.ts';
import { entriesIn, readTail, type Entry } from './index-text.ts';

const maxChromatograms = 1000;

/** The chromatograms that the end of the index names, at most 1000; none where they begin further ahead. */
export async function chromatogramsOf(source: ByteSource): Promise<readonly Entry[]> {
  const { from, text } = await readTail(source);
  const start = text.search(/<index\b[^>]{0,200}\bname="chromatogram"/);
  return start < 0 ? [] : entriesIn(text.slice(start), from + start).slice(0, maxChromatograms);
}
