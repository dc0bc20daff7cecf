import { CircleCheck, CircleDashed, LoaderCircle, TriangleAlert } from 'lucide-react';
import { StatusWord } from '../../ui/notes/status-word.tsx';
import { plainText } from '../../../src-shared/format/shown-text.ts';

/** The state of a measurement as its server reports it; an unknown word is shown unchanged. */
export function RemoteState({ state }: { readonly state: string }) {
  switch (state) {
    case 'available':
      return <StatusWord tone="ok" icon={CircleCheck} word="available" />;
    case 'degraded':
      return (
        <StatusWord
          tone="bad"
          icon={TriangleAlert}
          word="degraded"
          title="The server says that files of it are altered, missing or unreadable"
        />
      );
    case 'registering':
      return <StatusWord tone="quiet" icon={LoaderCircle} word="registering" />;
    default:
      return <StatusWord tone="quiet" icon={CircleDashed} word={plainText(state)} />;
  }
}
