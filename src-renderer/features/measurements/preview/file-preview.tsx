import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { useApp } from '../../../context/context.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { NotLoaded } from '../../../ui/notes/not-loaded.tsx';
import styles from './preview-panel.module.css';

// Views and charts are loaded with the first preview, so that the screen itself does not grow.
const PreviewPanel = lazy(async () => ({ default: (await import('./preview-panel.tsx')).PreviewPanel }));

export interface FilePreviewProps {
  readonly measurementId: string;
  /** Index of the file in the manifest. */
  readonly index: number;
  readonly onClose: () => void;
}

/** The preview of a file that is known by its index, as the address has it. */
export function FilePreview({ measurementId, index, onClose }: FilePreviewProps) {
  const { queries } = useApp();
  const page = useQuery(queries.file(measurementId, index));
  const file = page.data?.files.find((one) => one.index === index);
  if (file !== undefined)
    return (
      <Suspense fallback={<div className={styles['panel']} />}>
        <PreviewPanel measurementId={measurementId} file={file} onClose={onClose} />
      </Suspense>
    );
  return (
    <div className={`${styles['panel']} padded`}>
      <NotLoaded of={page} />
      {page.data === undefined ? null : <p>This measurement has no such file.</p>}
      <p>
        <Button onClick={onClose}>Back to the measurement</Button>
      </p>
    </div>
  );
}
