import type { address, errno, load, LibraryHandle } from 'koffi';
import { createRequire } from 'node:module';

interface Native {
  readonly load: typeof load;
  readonly address: typeof address;
  readonly errno: typeof errno;
}

export interface CLibrary {
  readonly func: LibraryHandle['func'];
  /** The memory address of a buffer or a typed array. */
  readonly address: typeof address;
  /** The `errno` of the last call. */
  readonly errno: () => number;
}

/**
 * Loads functions of the C library of a Linux system. koffi's package for this processor is loaded
 * directly: the main package around it only warns of deprecated names, and takes three times as
 * long to load.
 *
 * @throws Error when BENCHPORT_NO_KERNEL is 1, where koffi was left out, or where it has no build
 * for this processor or C library.
 */
export function loadCLibrary(): CLibrary {
  if (process.platform !== 'linux') throw new Error('only for Linux');
  if (process.env['BENCHPORT_NO_KERNEL'] === '1') throw new Error('switched off by BENCHPORT_NO_KERNEL');
  const native = createRequire(import.meta.url)(`@koromix/koffi-linux-${process.arch}`) as Native;
  const library = native.load(null);
  return { func: library.func.bind(library), address: native.address, errno: native.errno };
}
