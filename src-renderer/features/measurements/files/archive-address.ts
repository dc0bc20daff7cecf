import { formatCount } from '../../../../src-shared/format/quantities.ts';
import { amountOf, rangesOf, type Choice } from './choice.ts';

/** Limits of the service for a ZIP of chosen files. */
const maxRanges = 1000;
const maxTextLength = 8192;

/** Where a ZIP of chosen files is, or why there can be none. */
export type ArchiveAddress =
  | { readonly href: string; readonly refusal: null }
  | { readonly href: null; readonly refusal: string };

/** The address of a ZIP of the chosen files, such as `/measurements/ID/archive?files=0-3,7`. */
export function archiveAddress(measurementId: string, choice: Choice): ArchiveAddress {
  const { problems } = amountOf(choice);
  if (problems > 0)
    return refused(
      problems === 1
        ? 'One of them is not as registered and refused to readers. Leave it out.'
        : `${formatCount(problems)} of them are not as registered and refused to readers. Leave them out.`,
    );
  const ranges = rangesOf(choice);
  if (ranges.length > maxRanges)
    return refused(
      `They are scattered over ${formatCount(ranges.length)} places of the list; one ZIP takes at most ${formatCount(maxRanges)}. Choose whole folders, or fewer files.`,
    );
  const text = ranges.map(({ first, last }) => (first === last ? `${first}` : `${first}-${last}`)).join(',');
  if (text.length > maxTextLength)
    return refused(
      'They are scattered over too many places of the list for one ZIP. Choose whole folders, or fewer files.',
    );
  return { href: `/measurements/${encodeURIComponent(measurementId)}/archive?files=${text}`, refusal: null };
}

function refused(refusal: string): ArchiveAddress {
  return { href: null, refusal };
}
