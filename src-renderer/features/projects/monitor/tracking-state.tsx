import { CircleCheck, CircleOff, Unplug } from 'lucide-react';
import type { Project } from '../../../api/requests/types.ts';
import { StatusWord } from '../../../ui/notes/status-word.tsx';

/** Whether errors of a project are tracked, and where they are stored. */
export function TrackingState({ project }: { readonly project: Project }) {
  const { active, integrated } = project.error_tracking;
  if (!active) return <StatusWord tone="quiet" icon={CircleOff} word="off" />;
  if (!project.monitor)
    return (
      <StatusWord
        tone="warn"
        icon={Unplug}
        word="Monitor is off"
        title="Error tracking is active, but Monitor is off for the project."
      />
    );
  return <StatusWord tone="ok" icon={CircleCheck} word={integrated ? 'integrated' : 'external'} />;
}
