import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Ban, FolderKanban, Globe, UserRound, UserRoundPlus } from 'lucide-react';
import { useState } from 'react';
import type { Grant, MeasurementDetail } from '../../../api/requests/types.ts';
import { useApp } from '../../../context/context.ts';
import { runForMany } from '../../../context/run-for-many.ts';
import { BulkBar } from '../../../ui/lists/bulk-bar.tsx';
import { Button } from '../../../ui/controls/button.tsx';
import { ConfirmDialog } from '../../../ui/dialogs/confirm-dialog.tsx';
import { EmptyState } from '../../../ui/notes/empty-state.tsx';
import { countOf } from '../../../../src-shared/format/quantities.ts';
import { exactTime, expiryOf } from '../../../../src-shared/format/times.ts';
import { NotLoaded } from '../../../ui/notes/not-loaded.tsx';
import { useNow } from '../../../ui/hooks/use-now.ts';
import styles from './access-tab.module.css';
import { GrantDialog } from '../dialogs/grant-dialog.tsx';

const icons = { user: UserRound, project: FolderKanban, everyone: Globe } as const;

function subjectOf(grant: Grant): string {
  switch (grant.subject) {
    case 'user':
      return grant.user ?? 'a removed user';
    case 'project':
      return grant.project ?? 'a removed project';
    case 'everyone':
      return 'everyone';
  }
}

const subjectMeanings = {
  user: 'user',
  project: 'members of the project',
  everyone: 'every user of this service',
} as const;

/** The grants of a measurement. */
export function AccessTab({ measurement }: { readonly measurement: MeasurementDetail }) {
  const app = useApp();
  const { queries } = app;
  const client = useQueryClient();
  const grants = useQuery(queries.grants(measurement.id));
  const [adding, setAdding] = useState(false);
  const [revoking, setRevoking] = useState<readonly Grant[]>([]);
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set());
  const selected = (grants.data ?? []).filter(({ id }) => chosen.has(id));
  const [only] = revoking;
  const reload = (): Promise<void> => client.invalidateQueries({ queryKey: queries.grants(measurement.id).queryKey });

  const revoke = async (of: readonly Grant[]): Promise<void> => {
    if (of.length === 1 && of[0] !== undefined) await app.actions.revokeGrant(measurement.id, of[0].id);
    else {
      await runForMany(app, {
        items: of,
        nameOf: subjectOf,
        noun: 'grant',
        verbs: { doing: 'Revoking', done: 'revoked' },
        run: async ({ id }) => app.actions.revokeGrant(measurement.id, id),
      });
    }
    setChosen(new Set());
    await reload();
  };

  return (
    <div className={styles['access']}>
      <div className={styles['head']}>
        <p>
          <strong>{measurement.owner.username}</strong> owns it. Administrators may read everything.
        </p>
        <Button icon={<UserRoundPlus aria-hidden />} onClick={() => setAdding(true)}>
          Grant
        </Button>
      </div>
      <NotLoaded of={grants} alsoStale className="padded" />
      {grants.data?.length === 0 ? (
        <EmptyState title="Nobody else may read it.">
          Grant it to a user, to the members of a project, or to everyone.
        </EmptyState>
      ) : null}
      <BulkBar
        label="With the selected grants"
        count={selected.length}
        actions={[
          { kind: 'item', id: 'revoke', label: 'Revoke…', icon: <Ban aria-hidden />, run: () => setRevoking(selected) },
        ]}
        onClear={() => setChosen(new Set())}
      />
      <ul>
        {(grants.data ?? []).map((grant) => (
          <GrantRow
            key={grant.id}
            grant={grant}
            chosen={chosen.has(grant.id)}
            onChoose={(on) => setChosen(new Set([...chosen, grant.id].filter((id) => on || id !== grant.id)))}
            onRevoke={() => setRevoking([grant])}
          />
        ))}
      </ul>
      <GrantDialog open={adding} ids={[measurement.id]} onClose={() => setAdding(false)} onGranted={reload} />
      <ConfirmDialog
        open={only !== undefined}
        title={
          revoking.length === 1 && only !== undefined
            ? `Revoke access of ${subjectOf(only)}?`
            : `Revoke ${countOf(revoking.length, 'grant')}?`
        }
        verb="Revoke"
        onConfirm={async () => (revoking.length === 1 ? revoke(revoking) : void revoke(revoking))}
        onClose={() => setRevoking([])}
      >
        <p>
          Users who could read <code>{measurement.id}</code> only through{' '}
          {revoking.length > 1 ? 'these grants' : 'this grant'} no longer can. Their running transfers end within two
          seconds.
        </p>
      </ConfirmDialog>
    </div>
  );
}

interface GrantRowProps {
  readonly grant: Grant;
  readonly chosen: boolean;
  readonly onChoose: (chosen: boolean) => void;
  readonly onRevoke: () => void;
}

function GrantRow({ grant, chosen, onChoose, onRevoke }: GrantRowProps) {
  const Icon = icons[grant.subject];
  const expiry = expiryOf(grant.until, useNow());
  return (
    <li className={styles['row']}>
      <input
        type="checkbox"
        aria-label={`Select ${subjectOf(grant)}`}
        checked={chosen}
        onChange={({ target }) => onChoose(target.checked)}
      />
      <Icon aria-hidden />
      <div className="column">
        <span className="cut" title={subjectOf(grant)}>
          {subjectOf(grant)}
        </span>
        <span className={expiry.urgency === 'over' ? 'fault' : 'remark'}>
          {subjectMeanings[grant.subject]}
          {grant.until === null ? (
            ', without end'
          ) : (
            <span title={exactTime(grant.until)}>
              {expiry.urgency === 'over' ? `, ${expiry.text}` : `, ends ${expiry.text}`}
            </span>
          )}
        </span>
      </div>
      <Button look="quiet" onClick={onRevoke}>
        Revoke
      </Button>
    </li>
  );
}
