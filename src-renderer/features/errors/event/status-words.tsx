import { Bug, CircleAlert, CircleCheck, CircleDot, EyeOff, Flame, Info, RotateCcw, TriangleAlert } from 'lucide-react';
import type { ErrorSummary } from '../../../api/requests/types.ts';
import { StatusWord } from '../../../ui/notes/status-word.tsx';
import { lineText } from '../../../../src-shared/format/shown-text.ts';

const levels = {
  fatal: { tone: 'bad', icon: Flame },
  error: { tone: 'bad', icon: CircleAlert },
  warning: { tone: 'warn', icon: TriangleAlert },
  info: { tone: 'quiet', icon: Info },
  debug: { tone: 'quiet', icon: Bug },
} as const;

/** A level as an icon and its word; other backends may have levels of their own. */
export function LevelWord({ level }: { readonly level: string }) {
  const { tone, icon: Icon } = levels[level in levels ? (level as keyof typeof levels) : 'error'];
  return <StatusWord tone={tone} icon={Icon} word={lineText(level, 20)} />;
}

/** Unresolved, resolved, ignored, or regressed. */
export function ErrorStatusWord({ error }: { readonly error: Pick<ErrorSummary, 'status' | 'regressed'> }) {
  if (error.status === 'resolved') return <StatusWord tone="ok" icon={CircleCheck} word="resolved" />;
  if (error.status === 'ignored') return <StatusWord tone="quiet" icon={EyeOff} word="ignored" />;
  if (error.regressed)
    return <StatusWord tone="warn" icon={RotateCcw} word="regressed" title="It was resolved, then occurred again" />;
  return <StatusWord tone="quiet" icon={CircleDot} word="unresolved" />;
}
