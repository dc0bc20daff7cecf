import type { ReactNode } from 'react';

/** One line of the command palette. */
export interface PaletteEntry {
  readonly id: string;
  readonly group: string;
  readonly title: string;
  readonly more: ReactNode;
  /** Destructive: listed after all entries that only navigate. */
  readonly destroys: boolean;
  readonly run: () => void;
}
