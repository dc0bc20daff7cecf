import { countOf } from '../../common/count-of.ts';
import type { LeftOut } from '../store/left-out-store.ts';

/** The file beside the payload that lists what registration left out. */
export const leftOutFile = 'left-out.txt';

/** How many names were left out, as a sentence without its end. */
export function leftOutWords({ total }: LeftOut): string {
  return `${countOf(total, 'name')} ${total === 1 ? 'was' : 'were'} left out when this measurement was registered`;
}

/** The text of that file: each name with its reason, the first ten thousand. */
export function leftOutText(leftOut: LeftOut): string {
  const { total, names } = leftOut;
  const more = total > names.length ? [`and ${total - names.length} more`] : [];
  return [`${leftOutWords(leftOut)}:`, ...names, ...more, ''].join('\n');
}
