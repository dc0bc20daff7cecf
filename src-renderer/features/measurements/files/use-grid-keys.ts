import { useEffect, useRef, type KeyboardEvent } from 'react';
import { listCommands } from '../../../context/commands/list-commands.ts';
import { useApp } from '../../../context/context.ts';
import { commandFor } from '../../../context/shortcuts.ts';
import { useStable } from '../../../ui/hooks/use-stable.ts';
import { moveBy, moveIn, moveOut, type SideMove } from './moves.ts';
import type { TreeRow } from './tree.ts';

export interface GridKeys {
  readonly rows: readonly TreeRow[];
  /** Index of the row with the keyboard cursor. */
  readonly cursor: number | null;
  /** Number of rows that Page Up and Page Down move. */
  readonly onePage: () => number;
  /** Scrolls to a row. */
  readonly show: (index: number) => void;
  readonly moveTo: (index: number) => void;
  readonly choose: (index: number) => void;
  /** Chooses the rows from the one that was chosen last. */
  readonly chooseTo: (index: number) => void;
  readonly chooseAll: () => void;
  readonly open: (index: number) => void;
  readonly onFold: (path: string, folded: boolean) => void;
}

/**
 * The keys of a tree of files: those of all lists, and the arrows to the sides. End loads what is
 * missing of the last folder, until it is there or another key is pressed.
 */
export function useGridKeys(keys: GridKeys) {
  const { onMac } = useApp();
  const { rows, cursor, moveTo, show } = keys;
  const toEnd = useRef(false);
  const end = (): void => {
    const to = moveBy(rows, rows.length - 1, 1);
    if (to !== null) moveTo(to);
    toEnd.current = rows.at(-1)?.kind === 'more';
    if (toEnd.current) show(rows.length - 1);
  };
  const goOn = useStable((loaded: readonly TreeRow[]) => {
    if (toEnd.current && loaded.length > 0) end();
  });
  useEffect(() => goOn(rows), [rows, goOn]);
  const step = (by: number, extend = false): void => {
    const to = moveBy(rows, cursor, by);
    if (to === null) return;
    if (extend) keys.chooseTo(to);
    moveTo(to);
  };
  const aside = (move: SideMove | null): void => {
    if (move?.kind === 'fold') keys.onFold(move.path, move.folded);
    if (move?.kind === 'move') moveTo(move.to);
  };
  const here = (run: (index: number) => void) => () => {
    if (cursor !== null) run(cursor);
  };
  const actions: Readonly<Record<string, (() => void) | undefined>> = {
    'list-next': () => step(1),
    'list-previous': () => step(-1),
    'list-extend-next': () => step(1, true),
    'list-extend-previous': () => step(-1, true),
    'list-page-down': () => step(keys.onePage()),
    'list-page-up': () => step(-keys.onePage()),
    'list-first': () => step(-rows.length),
    'list-last': end,
    'list-toggle': here(keys.choose),
    'list-select-all': keys.chooseAll,
    'list-open': here(keys.open),
    ArrowRight: here((index) => aside(moveIn(rows, index))),
    ArrowLeft: here((index) => aside(moveOut(rows, index))),
  };
  return {
    /** Ends what End began. */
    stop: (): void => {
      toEnd.current = false;
    },
    onKeyDown: (event: KeyboardEvent): void => {
      if (event.target !== event.currentTarget) return;
      toEnd.current = false;
      const plain = !event.ctrlKey && !event.metaKey && !event.altKey && !event.shiftKey;
      const run = actions[commandFor(listCommands, event, onMac)?.id ?? (plain ? event.key : '')];
      if (run === undefined) return;
      event.preventDefault();
      run();
    },
  };
}
