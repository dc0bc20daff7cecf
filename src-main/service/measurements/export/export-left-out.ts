import { countOf } from '../../common/count-of.ts';
import type { LeftOut } from '../store/left-out-store.ts';

/** Name of the file beside the payload that lists what the registration left out. */
export const leftOutFile = 'left-out.txt';

/** Formats the number of names left out as a sentence without a full stop. */
export function leftOutWords({ total }: LeftOut): string {
  return `${countOf(total, 'name')} ${total === 1 ? 'was' : 'were'} left out when this measurement was registered`;
}

/** Formats the content of that file: the first ten thousand names, each with its reason. */
export function leftOutText(leftOut: LeftOut): string {
  const { total, names } = leftOut;
  const more = total > names.length ? [`and ${total - names.length} more`] : [];
  return [`${leftOutWords(leftOut)}:`, ...names, ...more, ''].join('\n');
}
