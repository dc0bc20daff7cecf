import { Popover } from '@base-ui/react/popover';
import { useQuery } from '@tanstack/react-query';
import { Bell, CheckCheck, X } from 'lucide-react';
import { useState } from 'react';
import { toApiError } from '../../api/requests/problem.ts';
import { useApp, useCommand, useToast } from '../../context/context.ts';
import { happeningsShown } from '../../api/queries/happening-queries.ts';
import { Button, IconButton } from '../../ui/controls/button.tsx';
import { narrowQuery, useMedia } from '../../ui/hooks/use-media.ts';
import { ScrollRegion } from '../../ui/layout/scroll-region.tsx';
import { NotLoaded } from '../../ui/notes/not-loaded.tsx';
import { CappedCount } from './capped-count.tsx';
import { HappeningList } from './happening-list.tsx';
import styles from './happenings.module.css';

/** A bell with the number of what happened since the user last looked, and the list of it. */
export function HappeningsBell({ className, badge }: { readonly className: string; readonly badge: string }) {
  const [open, setOpen] = useState(false);
  const narrow = useMedia(narrowQuery);
  const unseen = useQuery(useApp().queries.happeningCounts()).data?.unseen ?? 0;
  useCommand('show-happenings', () => setOpen(true));
  return (
    <Popover.Root open={open} onOpenChange={setOpen}>
      <Popover.Trigger className={className} title="What happened">
        <Bell aria-hidden />
        <span>What happened</span>
        <CappedCount count={unseen} what="new" className={badge} />
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Positioner
          side={narrow ? 'top' : 'right'}
          align="end"
          sideOffset={6}
          collisionPadding={8}
          className={styles['positioner'] ?? ''}
        >
          <Popover.Popup className={styles['popup'] ?? ''}>
            <Panel onClose={() => setOpen(false)} />
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}

function Panel({ onClose }: { readonly onClose: () => void }) {
  const { queries, actions } = useApp();
  const toast = useToast();
  const happenings = useQuery(queries.happenings());
  const newest = happenings.data?.[0]?.id;
  const isAllSeen = happenings.data?.every(({ seen }) => seen) ?? true;
  const [busy, setBusy] = useState(false);
  const markSeen = (): void => {
    if (newest === undefined) return;
    setBusy(true);
    actions
      .markHappeningsSeen({ until: newest })
      // The service tells all screens, this one too.
      .catch((error: unknown) =>
        toast({ kind: 'bad', text: 'It was not marked as seen', detail: toApiError(error).detail }),
      )
      .finally(() => setBusy(false));
  };
  return (
    <>
      <header className={styles['head']}>
        <Popover.Title className={styles['heading'] ?? ''}>What happened</Popover.Title>
        {isAllSeen ? null : (
          <Button icon={<CheckCheck aria-hidden />} onClick={markSeen} busy={busy}>
            Mark all as seen
          </Button>
        )}
        <IconButton label="Close" icon={<X />} onClick={onClose} />
      </header>
      <ScrollRegion label="What happened, newest first" className={styles['scroller']}>
        {happenings.data === undefined ? (
          <NotLoaded of={happenings} className={styles['loading']} />
        ) : (
          <HappeningList happenings={happenings.data} limit={happeningsShown} onLeave={onClose} />
        )}
      </ScrollRegion>
    </>
  );
}
