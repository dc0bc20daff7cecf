import { FolderDown } from 'lucide-react';
import { useEffect, useState } from 'react';
import styles from './drop-zone.module.css';

/** Accepts what is dropped anywhere on the page. */
export function DropZone({
  text,
  isOwnDrag,
  onDrop,
}: {
  readonly text: string;
  /** Whether what is dragged comes from this page. */
  readonly isOwnDrag: () => boolean;
  readonly onDrop: (transfer: DataTransfer) => void;
}) {
  const [over, setOver] = useState(false);
  useEffect(() => {
    const carriesFiles = (event: DragEvent): boolean =>
      event.dataTransfer?.types.includes('Files') === true && !isOwnDrag();
    const onOver = (event: DragEvent): void => {
      // Otherwise the window would open the dropped file.
      event.preventDefault();
      setOver(carriesFiles(event));
    };
    const onLeave = (event: DragEvent): void => {
      if (event.relatedTarget === null) setOver(false);
    };
    const onDropped = (event: DragEvent): void => {
      event.preventDefault();
      setOver(false);
      if (event.dataTransfer !== null && event.dataTransfer.files.length > 0) onDrop(event.dataTransfer);
    };
    window.addEventListener('dragover', onOver);
    window.addEventListener('dragleave', onLeave);
    window.addEventListener('drop', onDropped);
    return () => {
      window.removeEventListener('dragover', onOver);
      window.removeEventListener('dragleave', onLeave);
      window.removeEventListener('drop', onDropped);
    };
  }, [isOwnDrag, onDrop]);
  if (!over) return null;
  return (
    <div className={styles['zone']}>
      <FolderDown aria-hidden />
      <p>{text}</p>
    </div>
  );
}
