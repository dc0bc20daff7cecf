import { useStore } from 'zustand';
import { useApp } from '../../../context/context.ts';
import { BulkBar } from '../../../ui/lists/bulk-bar.tsx';
import { noRows } from '../../../ui/lists/row-selection.ts';
import { useSelection, type ChosenTransfers } from './chosen-transfers.ts';
import { transferMenu } from './transfer-menu.tsx';

const shown: ReadonlySet<string> = new Set([
  'pause-fetch',
  'resume-fetch',
  'retry-fetch',
  'keep-both-fetch',
  'verify-fetch',
  'stop-fetch',
  'remove-fetch',
]);

/** The bar for several selected transfers; order and priority are in the menu. */
export function TransferBar({ chosen }: { readonly chosen: ChosenTransfers }) {
  const { commands, onMac } = useApp();
  const handlers = useStore(commands, (state) => state.handlers);
  const actions = transferMenu(handlers, onMac, null).filter(({ id }) => shown.has(id));
  return (
    <BulkBar
      label="With the selected transfers"
      count={useSelection(chosen).ids.size}
      actions={actions}
      onClear={() => chosen.setState(noRows)}
    />
  );
}
