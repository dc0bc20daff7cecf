import { FolderOpen, Pause, Play, RotateCw } from 'lucide-react';
import type { Fetch } from '../../../api/requests/types.ts';
import { Button, IconButton } from '../../../ui/controls/button.tsx';
import { may, nameOf, remedyOf, remedyWords } from '../../../words/fetch-words.ts';

export type RowVerb = 'pause' | 'resume' | 'remedy' | 'show';

/**
 * The main action of a row. Keyboard users have its shortcut, so that the list stays one stop of
 * the Tab key.
 */
export function RowAction({
  fetch,
  onAct,
}: {
  readonly fetch: Fetch;
  readonly onAct: (fetch: Fetch, verb: RowVerb) => void;
}) {
  const name = nameOf(fetch);
  const remedy = remedyOf(fetch);
  const act = (verb: RowVerb) => ({
    tabIndex: -1,
    onClick: (event: { stopPropagation: () => void }) => {
      event.stopPropagation();
      onAct(fetch, verb);
    },
  });
  if (remedy === 'again')
    return <IconButton label={`Try ${name} again`} icon={<RotateCw aria-hidden />} {...act('remedy')} />;
  if (remedy !== null) {
    return (
      <Button aria-label={`${remedyWords[remedy]} for ${name}`} {...act('remedy')}>
        {remedyWords[remedy]}
      </Button>
    );
  }
  if (may.pause(fetch)) return <IconButton label={`Pause ${name}`} icon={<Pause aria-hidden />} {...act('pause')} />;
  if (may.resume(fetch)) return <IconButton label={`Resume ${name}`} icon={<Play aria-hidden />} {...act('resume')} />;
  return <IconButton label={`Show ${name} in its folder`} icon={<FolderOpen aria-hidden />} {...act('show')} />;
}
