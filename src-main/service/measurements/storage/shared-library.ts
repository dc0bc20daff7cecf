import { HttpProblem } from '../../common/problem.ts';

/** Of `ServiceConfig`. */
interface Config {
  readonly library?: 'none';
}

/**
 * Whether there is a folder of the library that all replicas see. A facility may have an object
 * storage alone.
 */
export function hasLibrary({ library }: Config): boolean {
  return library !== 'none';
}

/** @throws HttpProblem 422. @param what cannot be done, and what to do instead. */
export function requireLibrary(config: Config, what: string): void {
  if (hasLibrary(config)) return;
  throw new HttpProblem(422, `This facility has an object storage and no folder that its replicas share. ${what}`, {
    type: 'no-library',
  });
}
