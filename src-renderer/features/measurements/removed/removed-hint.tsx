import { useInfiniteQuery } from '@tanstack/react-query';
import { ArchiveRestore } from 'lucide-react';
import { countOf } from '../../../../src-shared/format/quantities.ts';
import { useApp } from '../../../context/context.ts';
import { CommandButton } from '../../../ui/controls/command-button.tsx';

/** Below an empty list: how many removed measurements can be restored; nothing while there are none. */
export function RemovedHint() {
  const { data } = useInfiniteQuery(useApp().queries.removedMeasurements());
  const total = data?.pages.at(-1)?.total ?? 0;
  if (total === 0) return null;
  return (
    <p>
      {countOf(total, 'removed measurement')} can be restored.{' '}
      <CommandButton look="quiet" icon={<ArchiveRestore aria-hidden />} command="removed-measurements">
        {total === 1 ? 'Show it' : 'Show them'}
      </CommandButton>
    </p>
  );
}
