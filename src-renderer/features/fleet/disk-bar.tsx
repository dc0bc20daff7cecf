import { formatBytes } from '../../../src-shared/format/quantities.ts';
import type { Bench } from '../../api/requests/types.ts';
import { useUnits } from '../../context/context.ts';
import styles from './fleet.module.css';

type Disk = Bench['disks'][number];

const nearlyFull = 0.95;
const filling = 0.85;

/** How full a disk is, with the free space beside it. */
export function DiskBar({ disk }: { readonly disk: Disk }) {
  const units = useUnits();
  const used = usedShare(disk);
  const tone = used > nearlyFull ? 'bad' : used > filling ? 'warn' : 'ok';
  const words = `${formatBytes(disk.free_bytes, units)} free`;
  return (
    <span className={styles['disk']} title={`${words} of ${formatBytes(disk.size_bytes, units)}`}>
      <span
        role="meter"
        aria-label="Disk in use"
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.round(used * 100)}
        aria-valuetext={words}
        className={`${styles['track']} ${styles[tone]}`}
      >
        <span style={{ width: `${used * 100}%` }} />
      </span>
      <span>{words}</span>
    </span>
  );
}

/** The fullest disk; null for a bench that has told of none. */
export function fullestDisk({ disks }: Pick<Bench, 'disks'>): Disk | null {
  return disks.toSorted((one, other) => usedShare(other) - usedShare(one))[0] ?? null;
}

export function diskName({ what, name }: Disk): string {
  if (what === 'data') return 'Data';
  return what === 'library' ? 'Library' : `Folder ${name}`;
}

function usedShare({ free_bytes: free, size_bytes: size }: Disk): number {
  return size === 0 ? 0 : Math.min(1, Math.max(0, 1 - free / size));
}
