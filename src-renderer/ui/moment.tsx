import { useNow } from './use-now.ts';
import { exactTime, formatRelative } from './format/times.ts';

/** A time as people say it, exact on hover. */
export function Moment({ at }: { readonly at: string }) {
  const now = useNow();
  return (
    <time dateTime={at} title={exactTime(at)} className="digits">
      {formatRelative(at, now)}
    </time>
  );
}
