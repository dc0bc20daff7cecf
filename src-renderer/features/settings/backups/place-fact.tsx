import { FolderOpen } from 'lucide-react';
import { useApp } from '../../../context/context.ts';
import { IconButton } from '../../../ui/controls/button.tsx';
import { Fact } from '../../../ui/figures/fact.tsx';

export interface PlaceFactProps {
  readonly term: string;
  readonly path: string;
  /** Label of the button that opens its folder. */
  readonly label: string;
}

/** A file or folder in a list of facts; in the window with a button that shows it. */
export function PlaceFact({ term, path, label }: PlaceFactProps) {
  const { desktop } = useApp();
  return (
    <Fact term={term}>
      <code>{path}</code>
      {desktop === null ? null : (
        <IconButton label={label} icon={<FolderOpen />} onClick={() => void desktop.showInFolder(path)} />
      )}
    </Fact>
  );
}
