import { useQueryClient } from '@tanstack/react-query';
import { useApp } from '../../../context/context.ts';
import type { Picked } from '../../../api/uploads/picked-files.ts';
import type { UploadNames } from '../../../api/uploads/upload-api.ts';
import { UploadDialog } from '../../uploads/upload-dialog.tsx';
import { KeepCopyDialog } from '../../copies/keep-copy-dialog.tsx';
import { RemovedDialog } from '../removed/removed-dialog.tsx';
import { ExportDialog } from './export-dialog.tsx';
import { GrantDialog } from './grant-dialog.tsx';
import { RegisterDialog } from './register-dialog.tsx';
import { RemoveDialog } from './remove-dialog.tsx';
import { RenameDialog } from './rename-dialog.tsx';

export type OpenDialog =
  | { readonly kind: 'register'; readonly paths: readonly string[] }
  | { readonly kind: 'upload'; readonly picked: Picked | null; readonly names: UploadNames | null }
  | { readonly kind: 'removed' }
  | { readonly kind: 'rename'; readonly id: string }
  | { readonly kind: 'remove' | 'export' | 'grant' | 'keep-copy'; readonly ids: readonly string[] };

export interface MeasurementDialogsProps {
  readonly dialog: OpenDialog | null;
  readonly onClose: () => void;
  readonly onRemoved: (ids: readonly string[]) => void;
}

/** The dialogs of the Measurements screen; at most one is open. */
export function MeasurementDialogs({ dialog, onClose, onRemoved }: MeasurementDialogsProps) {
  const { live } = useApp();
  const client = useQueryClient();
  if (dialog === null) return null;
  switch (dialog.kind) {
    case 'register':
      return (
        <RegisterDialog
          key={dialog.paths.join('\n')}
          paths={dialog.paths}
          onClose={onClose}
          onRegistered={(job) => {
            live.getState().putJob(job);
            void client.invalidateQueries({ queryKey: ['measurements', 'list'] });
          }}
        />
      );
    case 'upload':
      return <UploadDialog picked={dialog.picked} names={dialog.names} onClose={onClose} />;
    case 'removed':
      return <RemovedDialog onClose={onClose} />;
    case 'rename':
      return <RenameDialog id={dialog.id} onClose={onClose} />;
    case 'export':
      return <ExportDialog ids={dialog.ids} onClose={onClose} />;
    case 'keep-copy':
      return <KeepCopyDialog what={{ ids: dialog.ids }} onClose={onClose} />;
    case 'grant':
      return (
        <GrantDialog
          open
          ids={dialog.ids}
          onClose={onClose}
          onGranted={async () => client.invalidateQueries({ queryKey: ['measurements', 'grants'] })}
        />
      );
    case 'remove':
      return (
        <RemoveDialog
          ids={dialog.ids}
          onClose={onClose}
          onRemoved={(ids) => {
            onRemoved(ids);
            void client.invalidateQueries({ queryKey: ['measurements', 'list'] });
          }}
        />
      );
  }
}
