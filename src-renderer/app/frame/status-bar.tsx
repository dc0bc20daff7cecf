import { useQuery } from '@tanstack/react-query';
import {
  ArrowDown,
  ArrowUp,
  CircleAlert,
  CircleCheck,
  CircleDashed,
  Globe,
  HardDrive,
  Loader,
  Lock,
} from 'lucide-react';
import { useMemo } from 'react';
import { useStore } from 'zustand';
import type { ServiceStatus } from '../../api/requests/types.ts';
import { TimeLeft } from '../../features/transfers/time-left.tsx';
import { CopyButton } from '../../ui/controls/copy-button.tsx';
import { countOf, exactBytes, formatBytes, formatRate } from '../../../src-shared/format/quantities.ts';
import { formatDuration } from '../../../src-shared/format/times.ts';
import { useSilentSeconds } from '../../ui/hooks/use-silence.ts';
import { useApp, useSession, useUnits } from '../../context/context.ts';
import styles from './status-bar.module.css';

/** Bytes. With less free space, registering a copy or an export is likely to fail. */
const littleSpace = 2 * 1024 ** 3;

const connectionWords = {
  open: { word: 'service running', icon: CircleCheck, tone: 'ok' },
  connecting: { word: 'connecting', icon: CircleDashed, tone: 'warn' },
  lost: { word: 'service does not answer', icon: CircleAlert, tone: 'bad' },
} as const;

/** A service whose connection is open but silent. */
const notAnswering = { word: 'service not answering', icon: CircleAlert, tone: 'bad' } as const;

/** The state of the service and its live rates. */
export function StatusBar() {
  const { queries, live } = useApp();
  const units = useUnits();
  const service = useQuery(queries.service());
  const inWindow = useSession().door === 'window';
  const connection = useStore(live, (state) => state.connection);
  const rates = useStore(live, (state) => state.rates);
  const jobs = useStore(live, (state) => state.jobs);
  const active = useMemo(() => [...jobs.values()].filter((job) => job.ended_at === null).length, [jobs]);
  const silentSeconds = useSilentSeconds();
  const { word, icon: Icon, tone } = silentSeconds === null ? connectionWords[connection] : notAnswering;

  return (
    <footer className={styles['bar']}>
      <span className={styles[tone]}>
        <Icon aria-hidden />
        <span role="status">{word}</span>
        {silentSeconds === null ? null : <span className="digits">for {formatDuration(silentSeconds)}</span>}
      </span>
      {service.data === undefined ? null : <ServiceAddress service={service.data} />}
      <span className={styles['gap']} />
      {active === 0 ? null : (
        <span>
          <Loader aria-hidden />
          {countOf(active, 'job')}
        </span>
      )}
      <span title={`${exactBytes(rates.up_bytes_per_second)} per second`}>
        <ArrowUp aria-hidden />
        <span className="digits">
          {formatRate(rates.up_bytes_per_second, units)}
          {rates.up_clients > 0 ? ` to ${rates.up_clients}` : ''}
        </span>
      </span>
      {inWindow ? <Incoming /> : null}
      {service.data === undefined ? null : (
        <span
          className={service.data.free_bytes < littleSpace ? styles['warn'] : styles['space']}
          title={`${exactBytes(service.data.free_bytes)} free in the data directory`}
        >
          <HardDrive aria-hidden />
          <span className="digits">{formatBytes(service.data.free_bytes, units)} free</span>
        </span>
      )}
    </footer>
  );
}

function ServiceAddress({ service }: { readonly service: ServiceStatus }) {
  return (
    <>
      <span className={styles['url']}>
        <code>{(service.shared_url ?? service.base_url).replace(/^https?:\/\//, '')}</code>
        <CopyButton
          text={service.shared_url ?? service.base_url}
          label={service.shared_url === null ? 'Copy base URL' : 'Copy the address for others'}
          small
        />
      </span>
      <span
        className={styles['shared']}
        title={
          service.shared ? 'Others on the network can reach this service' : 'Only this machine can reach this service'
        }
      >
        {service.shared ? <Globe aria-hidden /> : <Lock aria-hidden />}
        {service.shared ? 'shared' : 'not shared'}
      </span>
    </>
  );
}

/** Incoming rate, remaining transfers and time. */
function Incoming() {
  const { live, queries } = useApp();
  const units = useUnits();
  const { down_bytes_per_second: rate } = useStore(live, (state) => state.incoming);
  const active = useQuery(queries.fetchCounts()).data?.active ?? 0;
  return (
    <>
      <span title={`${exactBytes(rate)} per second received`}>
        <ArrowDown aria-hidden />
        <span className="digits">{formatRate(rate, units)}</span>
      </span>
      {active === 0 ? null : (
        <span className={styles['left']}>
          <span className="digits">
            <TimeLeft />
          </span>
        </span>
      )}
    </>
  );
}
