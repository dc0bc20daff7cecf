import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { useApp, useUnits } from '../../app/context.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { countOf, formatBytes } from '../../ui/format/quantities.ts';

/** Asks before measurements are removed, and says what becomes of their files. */
export function RemoveDialog({
  ids,
  onClose,
  onRemoved,
}: {
  readonly ids: readonly string[];
  readonly onClose: () => void;
  readonly onRemoved: (ids: readonly string[]) => void;
}) {
  const { actions, queries } = useApp();
  const units = useUnits();
  const only = ids.length === 1 ? (ids[0] ?? '') : '';
  const detail = useQuery({ ...queries.measurement(only), enabled: only !== '' });
  const done = useRef(new Set<string>());
  const measurement = detail.data;

  return (
    <ConfirmDialog
      open
      title={only === '' ? `Remove ${countOf(ids.length, 'measurement')}?` : `Remove ${only}?`}
      verb="Remove"
      onClose={() => {
        if (done.current.size > 0) onRemoved([...done.current]);
        onClose();
      }}
      onConfirm={async () => {
        for (const id of ids) {
          // After a failure in the middle, a second try begins where the first ended.
          if (done.current.has(id)) continue;
          await actions.remove(id);
          done.current.add(id);
        }
      }}
    >
      <div className="stack">
        {measurement === undefined ? (
          <p>Referenced files are left alone where they lie. Copies in the library are deleted.</p>
        ) : measurement.storage === 'library' ? (
          <p>
            The copies in the library, {countOf(measurement.file_count, 'file')} with {formatBytes(measurement.total_bytes, units)}, are deleted. This cannot be
            undone.
          </p>
        ) : (
          <p>The {countOf(measurement.file_count, 'file')} stay where they lie; Benchport only forgets them.</p>
        )}
        <p>Nobody can fetch {ids.length === 1 ? 'it' : 'them'} any more, and running transfers end. The record of who fetched what is kept.</p>
      </div>
    </ConfirmDialog>
  );
}
