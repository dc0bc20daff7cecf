import {
  CircleCheck,
  CircleHelp,
  Moon,
  OctagonAlert,
  Power,
  TriangleAlert,
  Unplug,
  type LucideIcon,
} from 'lucide-react';
import type { Bench } from '../../api/requests/types.ts';
import { StatusWord } from '../../ui/notes/status-word.tsx';

interface Look {
  readonly tone: 'ok' | 'warn' | 'bad' | 'quiet';
  readonly icon: LucideIcon;
  readonly word: string;
  readonly title: string;
}

const looks: Readonly<Record<Bench['state'], Look>> = {
  silent: {
    tone: 'bad',
    icon: OctagonAlert,
    word: 'Silent',
    title: 'It has not reported for longer than is usual for it',
  },
  unheard: { tone: 'warn', icon: Unplug, word: 'Not heard', title: 'This server hears no bench at all' },
  away: {
    tone: 'quiet',
    icon: CircleHelp,
    word: 'Away',
    title: 'It does not report, as often at this time; or it is too new for anything to be usual',
  },
  reporting: { tone: 'ok', icon: CircleCheck, word: 'Reporting', title: 'It reports about once a minute' },
  asleep: { tone: 'quiet', icon: Moon, word: 'Asleep', title: 'Its computer went to sleep' },
  closed: { tone: 'quiet', icon: Power, word: 'Closed', title: 'Its Benchport was closed' },
};

/** The state of a bench; one that reports something to look at says so. */
export function BenchState({ bench }: { readonly bench: Bench }) {
  const { state, concerns } = bench;
  const look =
    state === 'reporting' && concerns.length > 0
      ? { ...looks.reporting, tone: 'warn' as const, icon: TriangleAlert, word: 'Needs a look' }
      : looks[state];
  return <StatusWord tone={look.tone} icon={look.icon} word={look.word} title={look.title} />;
}
