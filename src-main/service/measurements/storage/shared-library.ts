import { HttpProblem } from '../../common/problem.ts';

/** Of `ServiceConfig`. */
interface Config {
  readonly database?: object | null;
  readonly libraryDir?: string;
}

/**
 * Whether there is a folder of the library that all replicas see. A facility may have an object
 * storage alone.
 */
export function hasLibrary({ database, libraryDir }: Config): boolean {
  return !database || libraryDir !== undefined;
}

/** @throws HttpProblem 422. @param what cannot be done, and what to do instead. */
export function requireLibrary(config: Config, what: string): void {
  if (hasLibrary(config)) return;
  throw new HttpProblem(422, `This facility has an object storage and no folder that its replicas share. ${what}`, {
    type: 'no-library',
  });
}
