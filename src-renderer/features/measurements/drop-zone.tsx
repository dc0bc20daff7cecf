import { FolderDown } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { Desktop } from '../../context/desktop.ts';
import type { DragOut } from '../../context/drag-out.ts';
import styles from './drop-zone.module.css';

/** Accepts folders, files and ZIPs dropped anywhere on the window. */
export function DropZone({
  desktop,
  dragOut,
  onPaths,
  onNothing,
}: {
  readonly desktop: Desktop;
  readonly dragOut: DragOut;
  readonly onPaths: (paths: readonly string[]) => void;
  /** The dropped items have no path on this machine. */
  readonly onNothing: () => void;
}) {
  const [over, setOver] = useState(false);
  useEffect(() => {
    const carriesFiles = (event: DragEvent): boolean =>
      event.dataTransfer?.types.includes('Files') === true && !dragOut.isOwnDrag();
    const onOver = (event: DragEvent): void => {
      // Otherwise the window would open the dropped file.
      event.preventDefault();
      setOver(carriesFiles(event));
    };
    const onLeave = (event: DragEvent): void => {
      if (event.relatedTarget === null) setOver(false);
    };
    const onDrop = (event: DragEvent): void => {
      event.preventDefault();
      setOver(false);
      const files = [...(event.dataTransfer?.files ?? [])];
      // Items dragged from a web page have no path.
      const paths = desktop.pathsOf(files).filter((path) => path !== '');
      if (dragOut.isOwnDrop(paths)) return;
      if (paths.length > 0) onPaths(paths);
      else if (files.length > 0) onNothing();
    };
    window.addEventListener('dragover', onOver);
    window.addEventListener('dragleave', onLeave);
    window.addEventListener('drop', onDrop);
    return () => {
      window.removeEventListener('dragover', onOver);
      window.removeEventListener('dragleave', onLeave);
      window.removeEventListener('drop', onDrop);
    };
  }, [desktop, dragOut, onPaths, onNothing]);
  if (!over) return null;
  return (
    <div className={styles['zone']}>
      <FolderDown aria-hidden />
      <p>Drop to register</p>
    </div>
  );
}
