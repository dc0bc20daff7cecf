import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { ArchiveRestore } from 'lucide-react';
import { useState } from 'react';
import { countOf, formatBytes, formatCount } from '../../../../src-shared/format/quantities.ts';
import { toApiError } from '../../../api/requests/problem.ts';
import type { RemovedMeasurement } from '../../../api/requests/types.ts';
import { useApp, useSession, useToast, useUnits } from '../../../context/context.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { ConfirmDialog } from '../../../ui/dialogs/confirm-dialog.tsx';
import { Dialog } from '../../../ui/dialogs/dialog.tsx';
import { EmptyState } from '../../../ui/notes/empty-state.tsx';
import { NotLoaded } from '../../../ui/notes/not-loaded.tsx';
import { RemovedRow } from './removed-row.tsx';
import styles from './removed.module.css';

/** The measurements that were removed and can be restored, the newest first. */
export function RemovedDialog({ onClose }: { readonly onClose: () => void }) {
  const { queries, actions } = useApp();
  const client = useQueryClient();
  const isAdministrator = useSession().user?.is_admin === true;
  const list = useInfiniteQuery(queries.removedMeasurements());
  const [asked, setAsked] = useState<RemovedMeasurement | null>(null);
  const rows = (list.data?.pages ?? []).flatMap((page) => page.items);
  const total = list.data?.pages.at(-1)?.total ?? 0;
  const readAgain = async (): Promise<void> => client.invalidateQueries({ queryKey: ['measurements'] });
  const { busy, restore } = useRestore(readAgain);
  return (
    <Dialog
      open
      width="wide"
      title="Removed measurements"
      description={
        rows.length === 0 ? undefined : 'Copies count against the quota of their owner until they are removed for good.'
      }
      onClose={onClose}
    >
      <NotLoaded of={list} />
      {list.data !== undefined && rows.length === 0 ? <NothingRemoved /> : null}
      {rows.length === 0 ? null : (
        <ul className={styles['list']}>
          {rows.map((row) => (
            <RemovedRow
              key={row.id}
              removed={row}
              namesOwner={isAdministrator}
              busy={busy === row.id}
              onRestore={() => void restore(row)}
              onRemove={() => setAsked(row)}
            />
          ))}
        </ul>
      )}
      {list.hasNextPage ? (
        <p className={styles['foot']}>
          <Button busy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
            {`Show older, ${formatCount(total - rows.length)} more`}
          </Button>
        </p>
      ) : null}
      {asked === null ? null : (
        <ForGoodDialog
          removed={asked}
          onClose={() => setAsked(null)}
          onConfirm={async () => {
            await actions.removeForGood(asked.id);
            await readAgain();
          }}
        />
      )}
    </Dialog>
  );
}

/** Restoring one measurement at a time; `busy` is the id of the one that is being restored. */
function useRestore(readAgain: () => Promise<void>) {
  const { actions } = useApp();
  const toast = useToast();
  const [busy, setBusy] = useState<number | null>(null);
  const restore = async ({ id, measurement_id: name }: RemovedMeasurement): Promise<void> => {
    setBusy(id);
    try {
      await actions.restore(id);
      toast({ kind: 'plain', text: `${name} restored` });
    } catch (error) {
      toast({ kind: 'bad', text: `${name} was not restored`, detail: toApiError(error).detail });
    }
    await readAgain();
    setBusy(null);
  };
  return { busy, restore };
}

function NothingRemoved() {
  return (
    <EmptyState icon={<ArchiveRestore aria-hidden />} title="There is nothing to restore.">
      What you remove is kept here for seven days.
    </EmptyState>
  );
}

/** Confirms that a removed measurement is not kept any longer. */
function ForGoodDialog({
  removed: { measurement_id: id, storage, file_count: files, total_bytes: bytes },
  onClose,
  onConfirm,
}: {
  readonly removed: RemovedMeasurement;
  readonly onClose: () => void;
  readonly onConfirm: () => Promise<void>;
}) {
  const units = useUnits();
  return (
    <ConfirmDialog open title={`Remove ${id} for good?`} verb="Remove for good" onClose={onClose} onConfirm={onConfirm}>
      {storage === 'reference' ? (
        <p>The {countOf(files, 'file')} stay in their folder. The registration cannot be restored any more.</p>
      ) : (
        <p>
          Its copies, {countOf(files, 'file')} with {formatBytes(bytes, units)}, are deleted. This cannot be undone.
        </p>
      )}
    </ConfirmDialog>
  );
}
