import {
  ArrowDownToLine,
  CircleAlert,
  CircleCheck,
  CircleDashed,
  CirclePause,
  CircleSlash,
  Hand,
  Hourglass,
  ListTree,
  Moon,
  PackageOpen,
  RotateCw,
  ShieldCheck,
  type LucideIcon,
} from 'lucide-react';
import type { Fetch } from '../../../api/requests/types.ts';
import { RetryTime } from '../../../ui/figures/retry-time.tsx';
import { StatusWord } from '../../../ui/notes/status-word.tsx';
import { statusOf, type FetchSign } from '../../../words/fetch-words.ts';

const icons: Readonly<Record<FetchSign, LucideIcon>> = {
  queued: CircleDashed,
  listing: ListTree,
  fetching: ArrowDownToLine,
  stalled: Hourglass,
  verifying: ShieldCheck,
  unpacking: PackageOpen,
  waiting: RotateCw,
  resting: Moon,
  asking: Hand,
  paused: CirclePause,
  done: CircleCheck,
  failed: CircleAlert,
  cancelled: CircleSlash,
};

/** Seconds without a byte before the row shows it; shorter pauses are normal. */
const tellSilenceFrom = 3;

/** The state of a fetch: an icon and a word; a waiting one shows for how long. */
export function FetchStatus({ fetch }: { readonly fetch: Fetch }) {
  const { sign, word, tone } = statusOf(fetch);
  const Icon = icons[sign];
  const silent = fetch.state === 'running' && !fetch.stalled ? (fetch.silent_seconds ?? 0) : 0;
  return (
    <StatusWord
      tone={tone}
      icon={Icon}
      word={
        sign === 'waiting' && fetch.retry_at !== null ? (
          <RetryTime at={fetch.retry_at} />
        ) : silent >= tellSilenceFrom ? (
          <span className="digits">nothing for {silent} s</span>
        ) : (
          word
        )
      }
    />
  );
}
