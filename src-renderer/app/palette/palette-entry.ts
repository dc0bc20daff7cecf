import type { ReactNode } from 'react';

/** One line of the command palette. */
export interface PaletteEntry {
  readonly id: string;
  readonly group: string;
  readonly title: string;
  readonly more: ReactNode;
  /** It takes something away: never offered before what only shows. */
  readonly destroys: boolean;
  readonly run: () => void;
}
