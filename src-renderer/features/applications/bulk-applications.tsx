import { Ban, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { AuthorizedApplication, OAuthApplication } from '../../api/requests/types.ts';
import { useApp } from '../../context/context.ts';
import { runForMany } from '../../context/run-for-many.ts';
import { BulkBar } from '../../ui/lists/bulk-bar.tsx';
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog.tsx';
import { countOf } from '../../../src-shared/format/quantities.ts';
import { nameOf } from './authorized/authorized-words.ts';

interface BulkProps<Row> {
  readonly selected: readonly Row[];
  readonly onClear: () => void;
  readonly onDone: () => void;
}

/** The bar for several selected applications: deletes them. */
export function BulkApplications({ selected, onClear, onDone }: BulkProps<OAuthApplication>) {
  const app = useApp();
  const [asking, setAsking] = useState(false);
  const remove = async (items: readonly OAuthApplication[]): Promise<void> => {
    const verbs = { doing: 'Deleting', done: 'deleted' };
    await runForMany(app, {
      items,
      nameOf: ({ name }) => name,
      noun: 'application',
      verbs,
      run: async ({ id }) => app.actions.removeApplication(id),
    });
    onClear();
    onDone();
  };
  return (
    <>
      <BulkBar
        label="With the selected applications"
        count={selected.length}
        actions={[
          { kind: 'item', id: 'delete', label: 'Delete…', icon: <Trash2 aria-hidden />, run: () => setAsking(true) },
        ]}
        onClear={onClear}
      />
      <ConfirmDialog
        open={asking}
        title={`Delete ${countOf(selected.length, 'application')}?`}
        verb="Delete"
        onConfirm={async () => void remove(selected)}
        onClose={() => setAsking(false)}
      >
        <p>They can no longer sign anybody in, and all their tokens end at once. This cannot be undone.</p>
      </ConfirmDialog>
    </>
  );
}

/** The bar for several applications that may act for the signed-in user: revokes them. */
export function BulkAuthorized({ selected, onClear, onDone }: BulkProps<AuthorizedApplication>) {
  const app = useApp();
  const [asking, setAsking] = useState(false);
  const revoke = async (items: readonly AuthorizedApplication[]): Promise<void> => {
    await runForMany(app, {
      items,
      nameOf,
      noun: 'application',
      verbs: { doing: 'Revoking', done: 'revoked' },
      run: async ({ application }) => app.actions.revokeAuthorization(application?.id ?? null),
    });
    onClear();
    onDone();
  };
  return (
    <>
      <BulkBar
        label="With the selected applications"
        count={selected.length}
        actions={[
          { kind: 'item', id: 'revoke', label: 'Revoke…', icon: <Ban aria-hidden />, run: () => setAsking(true) },
        ]}
        onClear={onClear}
      />
      <ConfirmDialog
        open={asking}
        title={`Revoke ${countOf(selected.length, 'application')}?`}
        verb="Revoke"
        onConfirm={async () => void revoke(selected)}
        onClose={() => setAsking(false)}
      >
        <p>
          All their tokens for your account end at once, and transfers that use them within two seconds. To act for you
          again, they have to ask again.
        </p>
      </ConfirmDialog>
    </>
  );
}
