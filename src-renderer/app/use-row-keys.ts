import { useRef, type KeyboardEvent, type RefObject } from 'react';
import { commands as catalogue, type CommandId } from './command-catalogue.ts';
import { useApp } from './context.ts';
import { commandFor } from './shortcuts.ts';

const listCommands = catalogue.filter((command) => command.scope === 'list');

/** Moves the focus between the rows of a table's body with the keys of lists. One row, the one at `position`, is in the tab order. */
export function useRowKeys(
  position: number,
  count: number,
  open?: () => void,
): { readonly body: RefObject<HTMLTableSectionElement | null>; readonly onKeyDown: (event: KeyboardEvent) => void } {
  const { onMac } = useApp();
  const body = useRef<HTMLTableSectionElement>(null);
  const moveTo = (index: number) => (): void => body.current?.rows[Math.min(count - 1, Math.max(0, index))]?.focus();
  const actions: Partial<Record<CommandId, () => void>> = {
    'list-next': moveTo(position + 1),
    'list-previous': moveTo(position - 1),
    'list-first': moveTo(0),
    'list-last': moveTo(count - 1),
    ...(open === undefined ? {} : { 'list-open': open }),
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const command = commandFor(listCommands, event, onMac);
    const act = command === undefined ? undefined : actions[command.id];
    // Enter on a button within a row is the button's.
    if (act === undefined || (command?.id === 'list-open' && !(event.target instanceof HTMLTableRowElement))) return;
    event.preventDefault();
    act();
  };
  return { body, onKeyDown };
}
