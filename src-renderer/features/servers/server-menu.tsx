import { Pencil, PlugZap, Trash2 } from 'lucide-react';
import type { MenuEntry } from '../../ui/controls/menu.tsx';

export interface ServerMenuHandlers {
  readonly onTest: () => void;
  readonly onEdit: () => void;
  readonly onRemove: () => void;
}

/** Actions available for a server. */
export function serverMenu({ onTest, onEdit, onRemove }: ServerMenuHandlers): MenuEntry[] {
  return [
    { kind: 'item', id: 'test', label: 'Test the connection', icon: <PlugZap />, run: onTest },
    { kind: 'item', id: 'edit', label: 'Edit…', icon: <Pencil />, run: onEdit },
    { kind: 'line', id: 'line' },
    { kind: 'item', id: 'remove', label: 'Remove…', icon: <Trash2 />, danger: true, run: onRemove },
  ];
}
