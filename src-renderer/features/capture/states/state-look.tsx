import {
  CircleAlert,
  CircleCheck,
  CircleDashed,
  CircleHelp,
  CopyCheck,
  Eye,
  FilePen,
  FolderX,
  Hourglass,
  LoaderCircle,
  Pause,
  Radar,
  SkipForward,
  TrendingUp,
  type LucideIcon,
} from 'lucide-react';
import type { CaptureRuleState, CaptureState } from '../../../api/requests/types.ts';
import { StatusWord } from '../../../ui/notes/status-word.tsx';
import { captureStateWords, ruleStateWords, type StateWords } from '../../../words/capture-words.ts';

const tones = { ok: 'ok', warn: 'warn', bad: 'bad', neutral: 'quiet' } as const satisfies Record<
  StateWords['kind'],
  string
>;

const runIcons: Readonly<Record<CaptureState, LucideIcon>> = {
  seen: Eye,
  growing: TrendingUp,
  quiet: Hourglass,
  hashing: LoaderCircle,
  registered: CircleCheck,
  pushed: CopyCheck,
  'needs-you': CircleHelp,
  'changed-after': FilePen,
  skipped: SkipForward,
  gone: FolderX,
};

const ruleIcons: Readonly<Record<CaptureRuleState, LucideIcon>> = {
  starting: CircleDashed,
  watching: Radar,
  paused: Pause,
  unreachable: CircleAlert,
};

/** The state of a run, with its icon. */
export function RunState({ state }: { readonly state: CaptureState }) {
  const { word, kind } = captureStateWords[state];
  return <StatusWord tone={tones[kind]} icon={runIcons[state]} word={word} />;
}

/** The state of a rule, with its icon. */
export function RuleState({ state }: { readonly state: CaptureRuleState }) {
  const { word, kind } = ruleStateWords[state];
  return <StatusWord tone={tones[kind]} icon={ruleIcons[state]} word={word} />;
}
