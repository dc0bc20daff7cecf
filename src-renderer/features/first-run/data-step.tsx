import { useQuery } from '@tanstack/react-query';
import { FolderOpen } from 'lucide-react';
import { useApp, useUnits } from '../../context/context.ts';
import { Button } from '../../ui/controls/button.tsx';
import { exactBytes, formatBytes } from '../../../src-shared/format/quantities.ts';
import { NotLoaded } from '../../ui/notes/not-loaded.tsx';
import styles from './first-run-screen.module.css';

/** Where the data directory is, and its free space. */
export function DataStep() {
  const { queries, desktop } = useApp();
  const units = useUnits();
  const { data, error, refetch } = useQuery(queries.service());
  if (data === undefined) return <NotLoaded of={{ data, error, refetch }} />;
  const folder = data.data_dir;
  return (
    <>
      {folder === null ? null : (
        <>
          <p className={styles['place']}>
            <code>{folder}</code>
          </p>
          {desktop === null ? null : (
            <div>
              <Button icon={<FolderOpen aria-hidden />} onClick={() => void desktop.showInFolder(folder)}>
                Show in folder
              </Button>
            </div>
          )}
        </>
      )}
      <p>
        The database, the keys and copies of measurements are kept here;{' '}
        <span title={exactBytes(data.free_bytes)}>{formatBytes(data.free_bytes, units)}</span> free. Measurements that
        are registered in place stay where they are.
      </p>
      {desktop === null ? null : (
        <p className="muted">You can move them to another folder at any time in the settings.</p>
      )}
    </>
  );
}
