import { countOf } from '../../common/count-of.ts';
import type { FailureGroup } from '../store/fetch-files-store.ts';

/**
 * The message for a fetch with failed files, with their common or most frequent reason.
 *
 * @param words how many of how many files failed, as a sentence
 * @param groups most frequent reason first
 */
export function whyFilesFailed(words: string, groups: readonly FailureGroup[]): string {
  const [commonest, other] = groups;
  if (commonest === undefined || commonest.message === null) return words;
  if (other === undefined) return `${words.replace(/\.$/, '')}: ${commonest.message}`;
  return `${words} Most often (${countOf(commonest.files, 'file')}): ${commonest.message}`;
}
