import { countOf } from '../../common/count-of.ts';
import type { FailureGroup } from '../store/fetch-files-store.ts';

/**
 * The words about a fetch some of whose files could not be fetched, with the reason that they share, or else the most frequent one.
 *
 * @param words how many of how many could not be fetched, as a sentence
 * @param groups the most frequent reason first
 */
export function whyFilesFailed(words: string, groups: readonly FailureGroup[]): string {
  const [commonest, other] = groups;
  if (commonest === undefined || commonest.message === null) return words;
  if (other === undefined) return `${words.replace(/\.$/, '')}: ${commonest.message}`;
  return `${words} Most often (${countOf(commonest.files, 'file')}): ${commonest.message}`;
}
