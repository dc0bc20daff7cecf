import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Unplug } from 'lucide-react';
import { useState } from 'react';
import { useStore } from 'zustand';
import type { OutgoingTransfer } from '../../api/requests/types.ts';
import { useApp, useUnits } from '../../context/context.ts';
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog.tsx';
import { formatCount, formatRate } from '../../../src-shared/format/quantities.ts';
import { NotLoaded } from '../../ui/notes/not-loaded.tsx';
import { RateCurve } from '../../ui/figures/rate-curve.tsx';
import { Section } from '../account/section.tsx';
import { OutgoingTable } from './outgoing-table.tsx';
import styles from './sharing-screen.module.css';
import { outgoingWords } from './sharing-words.ts';

/** Running transfers to others. */
export function OutgoingNow() {
  const { queries, live, actions } = useApp();
  const client = useQueryClient();
  const units = useUnits();
  const points = useStore(live, (state) => state.upRates);
  const rate = useStore(live, (state) => state.rates.up_bytes_per_second);
  const { data, error, refetch } = useQuery(queries.outgoing());
  const [ending, setEnding] = useState<OutgoingTransfer | null>(null);
  const transfers = data ?? [];
  return (
    <>
      <Section
        title="Active transfers"
        state={transfers.length === 0 ? undefined : <span className="muted">{formatCount(transfers.length)}</span>}
      >
        <NotLoaded of={{ data, error, refetch }} />
        {transfers.length === 0 && rate === 0 ? null : (
          <div className={styles['going']}>
            <span className={styles['rate']}>{formatRate(rate, units)}</span>
            <div className={styles['curve']}>
              <RateCurve label="Sending" points={points} height={48} />
            </div>
          </div>
        )}
        {data !== undefined && transfers.length === 0 ? (
          <p className={styles['nobody']}>
            <Unplug aria-hidden />
            Nobody is fetching anything.
          </p>
        ) : null}
      </Section>
      {transfers.length === 0 ? null : <OutgoingTable transfers={transfers} onEnd={setEnding} />}
      <ConfirmDialog
        open={ending !== null}
        title={`End the transfer to ${ending?.username ?? ''}?`}
        verb="End"
        onConfirm={async () => {
          if (ending !== null) await actions.endTransfer(ending.id);
          await client.invalidateQueries({ queryKey: ['outgoing'] });
        }}
        onClose={() => setEnding(null)}
      >
        <p>
          {ending === null ? '' : `${outgoingWords(ending)} of ${ending.measurement_id}. `}Its connection is closed now.
          The program may start again: to prevent that, revoke its token or its access.
        </p>
      </ConfirmDialog>
    </>
  );
}
