import { ChevronDown, Download, ShieldCheck } from 'lucide-react';
import type { ReactNode } from 'react';
import { useStore } from 'zustand';
import type { MeasurementDetail } from '../../../api/requests/types.ts';
import { useApp } from '../../../context/context.ts';
import { Button, DownloadLink } from '../../../ui/controls/button.tsx';
import { CommandButton } from '../../../ui/controls/command-button.tsx';
import { Menu } from '../../../ui/controls/menu.tsx';
import styles from './measurement-detail.module.css';
import { measurementMenu } from '../list/measurement-menu.tsx';

export interface MeasurementButtonsProps {
  readonly measurement: MeasurementDetail;
  /** Whether files of it are refused to readers. */
  readonly degraded: boolean;
  readonly children: ReactNode;
}

/** Downloading, copying and verifying, and what else is given. */
export function MeasurementButtons({ measurement, degraded, children }: MeasurementButtonsProps) {
  const { commands, desktop, onMac } = useApp();
  const handlers = useStore(commands, (state) => state.handlers);
  return (
    <div className={styles['actions']}>
      {desktop === null && degraded ? (
        <Button
          icon={<Download aria-hidden />}
          disabled
          title="The ZIP holds files that are refused. Download the others individually from the list below."
        >
          Download ZIP
        </Button>
      ) : null}
      {desktop === null && measurement.state === 'available' ? (
        <DownloadLink
          look="primary"
          href={`/measurements/${encodeURIComponent(measurement.id)}`}
          download={`${measurement.id}.zip`}
        >
          Download ZIP
        </DownloadLink>
      ) : null}
      <Menu
        entries={measurementMenu(handlers, onMac, 'copies')}
        trigger={
          <Button>
            Copy
            <ChevronDown aria-hidden />
          </Button>
        }
      />
      {measurement.may_manage ? (
        <CommandButton
          icon={<ShieldCheck aria-hidden />}
          disabled={measurement.state === 'registering'}
          command="verify"
        >
          Verify
        </CommandButton>
      ) : null}
      {children}
    </div>
  );
}
