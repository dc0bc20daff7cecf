import { Download, X } from 'lucide-react';
import type { MeasurementDetail } from '../../../api/requests/types.ts';
import { useUnits } from '../../../context/context.ts';
import { countOf, exactBytes, formatBytes } from '../../../../src-shared/format/quantities.ts';
import { Button, DownloadLink, IconButton } from '../../../ui/controls/button.tsx';
import { archiveAddress } from './archive-address.ts';
import { amountOf, type Choice } from './choice.ts';
import styles from './choice-bar.module.css';

export interface ChoiceBarProps {
  readonly measurement: Pick<MeasurementDetail, 'id'>;
  readonly choice: Choice;
  readonly onClear: () => void;
}

/** How much is chosen, and its ZIP; or why there is none. */
export function ChoiceBar({ measurement, choice, onClear }: ChoiceBarProps) {
  const units = useUnits();
  const { files, bytes } = amountOf(choice);
  if (files === 0) return null;
  const { href, refusal } = archiveAddress(measurement.id, choice);
  return (
    <div role="toolbar" aria-label="With the chosen files" className={styles['bar']}>
      <span className={`digits ${styles['amount']}`} title={exactBytes(bytes)} role="status">
        {countOf(files, 'file')}, {formatBytes(bytes, units)} chosen
      </span>
      {href === null ? (
        <Button icon={<Download aria-hidden />} disabled>
          Download chosen
        </Button>
      ) : (
        <DownloadLink href={href} download={`${measurement.id}.zip`}>
          Download chosen
        </DownloadLink>
      )}
      <IconButton label="Choose none" icon={<X />} onClick={onClear} />
      {refusal === null ? null : <p className={styles['refusal']}>{refusal}</p>}
    </div>
  );
}
