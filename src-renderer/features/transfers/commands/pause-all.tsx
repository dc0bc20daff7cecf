import { Pause, Play } from 'lucide-react';
import type { FetchPage } from '../../../api/requests/types.ts';
import type { CommandId } from '../../../context/command-catalogue.ts';
import { useApp } from '../../../context/context.ts';
import { Button } from '../../../ui/controls/button.tsx';

/** Pauses all while anything runs, and resumes all while everything is paused. */
export function PauseAll({ counts }: { readonly counts: FetchPage['counts'] }) {
  const { commands } = useApp();
  const run = (id: CommandId) => (): void => commands.getState().handlers.get(id)?.();
  if (counts.active > 0) {
    return (
      <Button icon={<Pause aria-hidden />} onClick={run('pause-all-fetches')}>
        Pause all
      </Button>
    );
  }
  return counts.paused === 0 ? null : (
    <Button icon={<Play aria-hidden />} onClick={run('resume-all-fetches')}>
      Resume all
    </Button>
  );
}
