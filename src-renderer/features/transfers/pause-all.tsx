import { Pause, Play } from 'lucide-react';
import { useStore } from 'zustand';
import type { FetchPage } from '../../api/types.ts';
import { useApp } from '../../app/context.ts';
import { Button } from '../../ui/button.tsx';

/** One big pause while anything is under way, and the way back when all of it rests. */
export function PauseAll({ counts }: { readonly counts: FetchPage['counts'] }) {
  const { commands } = useApp();
  const handlers = useStore(commands, (state) => state.handlers);
  if (counts.active > 0) {
    return (
      <Button icon={<Pause aria-hidden />} onClick={() => handlers.get('pause-all-fetches')?.()}>
        Pause all
      </Button>
    );
  }
  return counts.paused === 0 ? null : (
    <Button icon={<Play aria-hidden />} onClick={() => handlers.get('resume-all-fetches')?.()}>
      Resume all
    </Button>
  );
}
