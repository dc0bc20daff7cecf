import { useQuery } from '@tanstack/react-query';
import { useApp, useUnits } from '../../../context/context.ts';
import { runForMany } from '../../../context/run-for-many.ts';
import { ConfirmDialog } from '../../../ui/dialogs/confirm-dialog.tsx';
import { countOf, formatBytes } from '../../../../src-shared/format/quantities.ts';
import { undoRemoval } from '../removed/undo-removal.ts';

/** Confirms removing measurements, and states what happens to their files. */
export function RemoveDialog({
  ids,
  onClose,
  onRemoved,
}: {
  readonly ids: readonly string[];
  readonly onClose: () => void;
  readonly onRemoved: (ids: readonly string[]) => void;
}) {
  const app = useApp();
  const { actions, queries } = app;
  const units = useUnits();
  const only = ids.length === 1 ? (ids[0] ?? '') : '';
  const detail = useQuery({ ...queries.measurement(only), enabled: only !== '' });
  const measurement = detail.data;
  const undo = (done: readonly string[]): void => void undoRemoval(app, done);
  const removeAll = async (): Promise<void> => {
    const verbs = { doing: 'Removing', done: 'removed' };
    onRemoved(
      await runForMany(app, {
        items: ids,
        nameOf: (id) => id,
        noun: 'measurement',
        verbs,
        run: async (id) => actions.remove(id),
        undo,
      }),
    );
  };

  return (
    <ConfirmDialog
      open
      title={only === '' ? `Remove ${countOf(ids.length, 'measurement')}?` : `Remove ${only}?`}
      verb="Remove"
      onClose={onClose}
      onConfirm={async () => {
        if (only === '') return void removeAll();
        await actions.remove(only);
        app.toasts.getState().show({
          kind: 'plain',
          text: `${only} removed`,
          detail: 'For seven days it is under “Removed measurements”.',
          action: { label: 'Undo', run: () => undo([only]) },
        });
        return onRemoved([only]);
      }}
    >
      <div className="stack">
        {measurement === undefined ? (
          <p>Referenced files stay in their folders. Copies are kept for seven days, and then deleted.</p>
        ) : measurement.storage !== 'reference' ? (
          <p>
            The copies in the {measurement.storage === 'library' ? 'library' : 'object storage'},{' '}
            {countOf(measurement.file_count, 'file')} with {formatBytes(measurement.total_bytes, units)}, are kept for
            seven days, and then deleted. Until then they take their space.
          </p>
        ) : (
          <p>
            The {countOf(measurement.file_count, 'file')} stay in their folder; Benchport only removes them from its
            list.
          </p>
        )}
        <p>
          For seven days {ids.length === 1 ? 'it' : 'they'} can be restored under “Removed measurements”, with the same
          readers.
        </p>
        <p>
          Nobody can fetch {ids.length === 1 ? 'it' : 'them'} any more, and running transfers end. The record of who
          fetched what is kept.
        </p>
      </div>
    </ConfirmDialog>
  );
}
