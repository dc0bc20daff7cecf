import { useNow } from '../hooks/use-now.ts';
import { usePrinting } from '../hooks/printing.ts';
import { exactTime, formatRelative } from '../../../src-shared/format/times.ts';

/** A relative time, exact on hover and on paper; or a word where there is none. */
export function Moment({ at, none = '' }: { readonly at: string | null; readonly none?: string }) {
  const now = useNow();
  const printing = usePrinting();
  if (at === null) return none;
  return (
    <time dateTime={at} title={exactTime(at)} className="digits">
      {printing ? exactTime(at).split('\n')[0] : formatRelative(at, now)}
    </time>
  );
}
