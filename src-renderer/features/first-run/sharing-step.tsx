import styles from './first-run-screen.module.css';
import { SharingSetting } from '../sharing/sharing-setting.tsx';

/** Sharing on the local network: off unless it is switched on here or later under Sharing. */
export function SharingStep() {
  return (
    <div className={styles['embedded']}>
      <SharingSetting />
    </div>
  );
}
