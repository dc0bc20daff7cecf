import { useCallback } from 'react';
import { useApp, useToast } from '../../context/context.ts';
import type { Desktop } from '../../context/desktop.ts';
import { droppedOf, type Picked } from '../../api/uploads/picked-files.ts';
import { DropZone } from './drop-zone.tsx';

/** In the window: registers what is dropped, where it lies. */
export function RegisterDrop({
  desktop,
  onPaths,
}: {
  readonly desktop: Desktop;
  readonly onPaths: (paths: readonly string[]) => void;
}) {
  const { dragOut } = useApp();
  const toast = useToast();
  const onDrop = (transfer: DataTransfer): void => {
    // Items dragged from a web page have no path.
    const paths = desktop.pathsOf([...transfer.files]).filter((path) => path !== '');
    if (dragOut.isOwnDrop(paths)) return;
    if (paths.length > 0) onPaths(paths);
    else
      toast({
        kind: 'bad',
        text: 'The dropped files are not on this machine',
        detail: 'Save them to a folder, then drop them from there.',
      });
  };
  return <DropZone text="Drop to register" isOwnDrag={() => dragOut.isOwnDrag()} onDrop={onDrop} />;
}

/** In a browser: uploads what is dropped. */
export function UploadDrop({ onPicked }: { readonly onPicked: (picked: Picked) => void }) {
  const toast = useToast();
  const onDrop = useCallback(
    (transfer: DataTransfer): void => {
      droppedOf(transfer).then(onPicked, () =>
        toast({ kind: 'bad', text: 'The dropped files cannot be read', detail: 'Choose their folder instead.' }),
      );
    },
    [onPicked, toast],
  );
  return <DropZone text="Drop to upload" isOwnDrag={neverOwn} onDrop={onDrop} />;
}

function neverOwn(): boolean {
  return false;
}
