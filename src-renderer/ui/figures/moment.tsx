import { useNow } from '../hooks/use-now.ts';
import { usePrinting } from '../hooks/printing.ts';
import { exactTime, formatRelative } from '../../../src-shared/format/times.ts';

/** A relative time, exact on hover and on paper. */
export function Moment({ at }: { readonly at: string }) {
  const now = useNow();
  const printing = usePrinting();
  return (
    <time dateTime={at} title={exactTime(at)} className="digits">
      {printing ? exactTime(at).split('\n')[0] : formatRelative(at, now)}
    </time>
  );
}
