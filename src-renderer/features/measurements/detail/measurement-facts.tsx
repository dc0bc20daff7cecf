import { FolderOpen } from 'lucide-react';
import type { MeasurementDetail } from '../../../api/requests/types.ts';
import { useApp, useUnits } from '../../../context/context.ts';
import { IconButton } from '../../../ui/controls/button.tsx';
import { Moment } from '../../../ui/figures/moment.tsx';
import { Fact } from '../../../ui/figures/fact.tsx';
import { countOf, exactBytes, formatBytes } from '../../../../src-shared/format/quantities.ts';
import { plainText } from '../../../../src-shared/format/shown-text.ts';
import styles from './measurement-detail.module.css';
import { LeftOut } from './left-out.tsx';
import { StateWord } from '../list/state-word.tsx';
import facts from '../../../ui/styles/facts.module.css';

/** The state of a measurement, what it holds, since when, and where its files are. */
export function MeasurementFacts({ measurement }: { readonly measurement: MeasurementDetail }) {
  const { desktop } = useApp();
  const units = useUnits();
  const { root } = measurement;
  return (
    <>
      <p className={styles['line']}>
        <StateWord measurement={measurement} />
        <span>
          {measurement.verified_at === null ? (
            'not verified since registration'
          ) : (
            <>
              {/* Nothing was confirmed where something was found. */}
              {measurement.state === 'degraded' ? 'checked' : 'verified'} <Moment at={measurement.verified_at} />
            </>
          )}
        </span>
      </p>
      <dl className={`${facts['plain']} ${styles['grid']}`}>
        <dt>Holds</dt>
        <dd
          className="digits"
          title={`${exactBytes(measurement.total_bytes)}, as ZIP ${exactBytes(measurement.archive_bytes)}`}
        >
          {countOf(measurement.file_count, 'file')}, {formatBytes(measurement.total_bytes, units)}
        </dd>
        <Fact term="Added">
          <Moment at={measurement.registered_at ?? measurement.created_at} /> by {measurement.owner.username}
        </Fact>
        <dt>Stored</dt>
        <dd className={styles['where']}>
          {measurement.storage === 'library' ? (
            'copied into the library'
          ) : measurement.storage === 'object_storage' ? (
            'copied into the object storage'
          ) : root === null ? (
            'referenced in place'
          ) : (
            <>
              <span className={styles['path']} title={plainText(root)}>
                <bdi>{plainText(root)}</bdi>
              </span>
              {desktop === null ? null : (
                <IconButton
                  label="Show in folder"
                  icon={<FolderOpen />}
                  onClick={() => void desktop.showInFolder(root)}
                />
              )}
            </>
          )}
        </dd>
      </dl>
      {measurement.left_out ? <LeftOut leftOut={measurement.left_out} /> : null}
    </>
  );
}
