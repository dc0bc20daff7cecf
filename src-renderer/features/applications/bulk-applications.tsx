import { Ban, Trash2 } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import type { AuthorizedApplication, OAuthApplication } from '../../api/requests/types.ts';
import { useApp } from '../../context/context.ts';
import { runForMany, type ManyItems } from '../../context/run-for-many.ts';
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
export function BulkApplications(props: BulkProps<OAuthApplication>) {
  const { actions } = useApp();
  return (
    <BulkWork
      {...props}
      verb="Delete"
      verbs={{ doing: 'Deleting', done: 'deleted' }}
      icon={<Trash2 aria-hidden />}
      nameOf={({ name }) => name}
      run={async ({ id }) => actions.removeApplication(id)}
    >
      They can no longer sign anybody in, and all their tokens end at once. This cannot be undone.
    </BulkWork>
  );
}

/** The bar for several applications that may act for the signed-in user: revokes them. */
export function BulkAuthorized(props: BulkProps<AuthorizedApplication>) {
  const { actions } = useApp();
  return (
    <BulkWork
      {...props}
      verb="Revoke"
      verbs={{ doing: 'Revoking', done: 'revoked' }}
      icon={<Ban aria-hidden />}
      nameOf={nameOf}
      run={async ({ application }) => actions.revokeAuthorization(application?.id ?? null)}
    >
      All their tokens for your account end at once, and transfers that use them within two seconds. To act for you
      again, they have to ask again.
    </BulkWork>
  );
}

interface BulkWorkProps<Row> extends BulkProps<Row>, Pick<ManyItems<Row>, 'nameOf' | 'verbs' | 'run'> {
  readonly verb: string;
  readonly icon: ReactNode;
  /** The consequence for the users of the applications. */
  readonly children: ReactNode;
}

function BulkWork<Row>({ selected, onClear, onDone, verb, icon, children, ...many }: BulkWorkProps<Row>) {
  const app = useApp();
  const [asking, setAsking] = useState(false);
  const work = async (): Promise<void> => {
    await runForMany(app, { items: selected, noun: 'application', ...many });
    onClear();
    onDone();
  };
  return (
    <>
      <BulkBar
        label="With the selected applications"
        count={selected.length}
        actions={[{ kind: 'item', id: verb, label: `${verb}…`, icon, run: () => setAsking(true) }]}
        onClear={onClear}
      />
      <ConfirmDialog
        open={asking}
        title={`${verb} ${countOf(selected.length, 'application')}?`}
        verb={verb}
        onConfirm={async () => void work()}
        onClose={() => setAsking(false)}
      >
        <p>{children}</p>
      </ConfirmDialog>
    </>
  );
}
