import { ArchiveRestore } from 'lucide-react';
import { useState } from 'react';
import { countOf } from '../../../../src-shared/format/quantities.ts';
import type { MeasurementDetail } from '../../../api/requests/types.ts';
import { useApp, useSession } from '../../../context/context.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { ConfirmDialog } from '../../../ui/dialogs/confirm-dialog.tsx';

/** Replaces files that are not as registered by those of a verified copy, after a question. */
export function RestoreButton({ measurement }: { readonly measurement: MeasurementDetail }) {
  const { actions, live } = useApp();
  const session = useSession();
  const [asking, setAsking] = useState(false);
  const { id, problem_count: problems, storage, verified_copies: copies } = measurement;
  if (session.door !== 'window' || copies === 0 || storage === 'object_storage') return null;
  return (
    <>
      <Button icon={<ArchiveRestore aria-hidden />} onClick={() => setAsking(true)}>
        Restore from the copy…
      </Button>
      <ConfirmDialog
        open={asking}
        title={`Restore ${countOf(problems, 'file')} of ${id}?`}
        verb="Restore"
        onConfirm={async () => live.getState().putJob(await actions.restoreFromCopy(id))}
        onClose={() => setAsking(false)}
      >
        {storage === 'library'
          ? 'Files that are not as registered are replaced in the library by those of the verified copy.'
          : 'Files that are not as registered are replaced in their folder by those of the verified copy. What is there now stays beside them, with “.before-restore” at the end of its name.'}{' '}
        All files are verified afterwards.
      </ConfirmDialog>
    </>
  );
}
