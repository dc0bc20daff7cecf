import { CircleCheck, CircleDashed, LoaderCircle, TriangleAlert } from 'lucide-react';
import { StatusWord } from '../../ui/notes/status-word.tsx';
import { plainText } from '../../../src-shared/format/shown-text.ts';

/** The state of a measurement as its server reports it; an unknown word is shown unchanged. */
export function RemoteState({ state }: { readonly state: string }) {
  switch (state) {
    case 'available':
      return (
        <StatusWord tone="ok" icon={<CircleCheck aria-hidden />}>
          available
        </StatusWord>
      );
    case 'degraded':
      return (
        <StatusWord
          tone="bad"
          icon={<TriangleAlert aria-hidden />}
          title="The server says that files of it are altered, missing or unreadable"
        >
          degraded
        </StatusWord>
      );
    case 'registering':
      return (
        <StatusWord tone="quiet" icon={<LoaderCircle aria-hidden />}>
          registering
        </StatusWord>
      );
    default:
      return (
        <StatusWord tone="quiet" icon={<CircleDashed aria-hidden />}>
          {plainText(state)}
        </StatusWord>
      );
  }
}
