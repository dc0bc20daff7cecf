import { useQuery } from '@tanstack/react-query';
import { CircleCheck, CopyCheck } from 'lucide-react';
import { countOf } from '../../../../src-shared/format/quantities.ts';
import { plainText } from '../../../../src-shared/format/shown-text.ts';
import type { MeasurementDetail } from '../../../api/requests/types.ts';
import { useApp, useSession } from '../../../context/context.ts';
import { CommandButton } from '../../../ui/controls/command-button.tsx';
import { Moment } from '../../../ui/figures/moment.tsx';
import { ScrollRegion } from '../../../ui/layout/scroll-region.tsx';
import { EmptyState } from '../../../ui/notes/empty-state.tsx';
import { NotLoaded } from '../../../ui/notes/not-loaded.tsx';
import { StatusWord } from '../../../ui/notes/status-word.tsx';
import { CopyRow } from '../../copies/copy-row.tsx';
import styles from './copies-tab.module.css';

/** The copies of a measurement on other servers; in the window with what can be done with them. */
export function CopiesTab({ measurement }: { readonly measurement: MeasurementDetail }) {
  return useSession().door === 'window' ? <OwnCopies measurement={measurement} /> : <VerifiedCopies {...measurement} />;
}

function OwnCopies({ measurement }: { readonly measurement: MeasurementDetail }) {
  const { queries } = useApp();
  const copies = useQuery(queries.copiesOf(measurement.id));
  if (copies.data === undefined) return <NotLoaded of={copies} className="padded" />;
  const { items } = copies.data;
  const keep = (
    <CommandButton command="keep-copy" icon={<CopyCheck aria-hidden />}>
      Keep a copy…
    </CommandButton>
  );
  if (items.length === 0)
    return (
      <EmptyState icon={<CopyCheck aria-hidden />} title="There is no copy of it elsewhere." action={keep}>
        A copy is confirmed by the other server with a signed receipt, and checked again every month.
      </EmptyState>
    );
  return (
    <ScrollRegion className={styles['scroller']} label="Copies">
      <p className={styles['head']}>
        <Safety measurement={measurement} />
        {keep}
      </p>
      <ul>
        {items.map((copy) => (
          <CopyRow key={copy.id} copy={copy} namesMeasurement={false} />
        ))}
      </ul>
    </ScrollRegion>
  );
}

/** Whether the measurement would still be somewhere if it were removed here. */
function Safety({ measurement }: { readonly measurement: MeasurementDetail }) {
  const count = measurement.verified_copies;
  return (
    <span>
      {count === 0
        ? 'No copy is verified: this may be the only one.'
        : `Safe to remove here: ${countOf(count, 'copy is', 'copies are')} verified elsewhere.`}
    </span>
  );
}

function VerifiedCopies({ id }: Pick<MeasurementDetail, 'id'>) {
  const { queries } = useApp();
  const copies = useQuery(queries.verifiedCopies(id));
  if (copies.data === undefined) return <NotLoaded of={copies} className="padded" />;
  if (copies.data.length === 0)
    return <EmptyState icon={<CopyCheck aria-hidden />} title="There is no verified copy of it elsewhere." />;
  return (
    <ScrollRegion className={styles['scroller']} label="Copies">
      <ul>
        {copies.data.map((copy) => (
          <li key={`${copy.server_name} ${copy.verified_at}`} className={styles['copy']}>
            <StatusWord tone="ok" icon={CircleCheck} word={plainText(copy.server_name)} />
            <span className={styles['when']}>
              verified <Moment at={copy.verified_at} />
            </span>
          </li>
        ))}
      </ul>
    </ScrollRegion>
  );
}
