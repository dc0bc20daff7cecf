import { CircleCheck, CircleOff, Unplug } from 'lucide-react';
import type { Project } from '../../../api/requests/types.ts';
import { StatusWord } from '../../../ui/notes/status-word.tsx';

/** Whether errors of a project are tracked, and where they are stored. */
export function TrackingState({ project }: { readonly project: Project }) {
  const { active, integrated } = project.error_tracking;
  if (!active)
    return (
      <StatusWord tone="quiet" icon={<CircleOff aria-hidden />}>
        off
      </StatusWord>
    );
  if (!project.monitor)
    return (
      <StatusWord
        tone="warn"
        icon={<Unplug aria-hidden />}
        title="Error tracking is active, but Monitor is off for the project."
      >
        Monitor is off
      </StatusWord>
    );
  return (
    <StatusWord tone="ok" icon={<CircleCheck aria-hidden />}>
      {integrated ? 'integrated' : 'external'}
    </StatusWord>
  );
}
