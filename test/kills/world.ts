import { randomBytes } from 'node:crypto';
import type { Expected } from './expected.ts';
import type { ServiceProcess } from './service-process.ts';

export interface World {
  readonly service: ServiceProcess;
  readonly expected: Expected;
  readonly dir: string;
  readonly random: () => number;
  readonly fixed: Fixed;
}

/** Data created once, before the first kill. */
export interface Fixed {
  readonly project: number;
  /** A project that keeps few of its events, so that retention has work at each start. */
  readonly brief: number;
  readonly keys: Readonly<Record<number, string>>;
  readonly client: { readonly id: string; readonly secret: string };
  readonly server: number;
  readonly reader: string;
}

export const password = 'correct horse battery staple';

/** One write; false when the service is gone. */
export type Writer = (world: World) => Promise<boolean>;

export function pick<T>(random: () => number, from: readonly T[]): T | undefined {
  return from[Math.floor(random() * from.length)];
}

/** A new unique name. */
export const newName = (): string => `n${randomBytes(6).toString('hex')}`;
