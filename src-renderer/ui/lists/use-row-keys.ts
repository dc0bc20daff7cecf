import { useRef, type KeyboardEvent, type RefObject } from 'react';
import { commands as catalogue, type CommandId } from '../../context/command-catalogue.ts';
import { useApp } from '../../context/context.ts';
import { commandFor } from '../../context/shortcuts.ts';

const listCommands = catalogue.filter((command) => command.scope === 'list');

/** List commands that a table handles itself. */
export interface RowKeyActions {
  readonly open?: (() => void) | undefined;
  readonly toggle?: (() => void) | undefined;
  readonly selectAll?: (() => void) | undefined;
  /** Selects up to a row. */
  readonly extendTo?: ((index: number) => void) | undefined;
}

/**
 * Moves the focus between the rows of a table's body with the list keys. One row, the one at
 * `position`, is in the tab order.
 */
export function useRowKeys(
  position: number,
  count: number,
  { open, toggle, selectAll, extendTo }: RowKeyActions,
): { readonly body: RefObject<HTMLTableSectionElement | null>; readonly onKeyDown: (event: KeyboardEvent) => void } {
  const { onMac } = useApp();
  const body = useRef<HTMLTableSectionElement>(null);
  const inside = (index: number): number => Math.min(count - 1, Math.max(0, index));
  const moveTo = (index: number) => (): void => body.current?.rows[inside(index)]?.focus();
  const extend = (index: number) => (): void => {
    extendTo?.(inside(index));
    moveTo(index)();
  };
  const actions: Partial<Record<CommandId, () => void>> = {
    'list-next': moveTo(position + 1),
    'list-previous': moveTo(position - 1),
    'list-first': moveTo(0),
    'list-last': moveTo(count - 1),
    ...(open === undefined ? {} : { 'list-open': open }),
    ...(toggle === undefined ? {} : { 'list-toggle': toggle }),
    ...(selectAll === undefined ? {} : { 'list-select-all': selectAll }),
    ...(extendTo === undefined
      ? {}
      : { 'list-extend-next': extend(position + 1), 'list-extend-previous': extend(position - 1) }),
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const command = commandFor(listCommands, event, onMac);
    const act = command === undefined ? undefined : actions[command.id];
    // Enter and Space on a button within a row or a head belong to the button.
    const forRow = command?.id === 'list-open' || command?.id === 'list-toggle';
    if (act === undefined || (forRow && !(event.target instanceof HTMLTableRowElement))) return;
    event.preventDefault();
    act();
  };
  return { body, onKeyDown };
}
