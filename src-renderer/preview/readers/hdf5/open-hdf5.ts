import type * as H5wasm from 'h5wasm';
import type { Dataset, Entity, File, Group } from 'h5wasm';
import type { ByteSource } from '../../provider/byte-source.ts';
import { malformed, PreviewError } from '../../provider/preview-error.ts';

/** An HDF5 file whose bytes are read while the library asks for them. */
export interface Hdf5File {
  readonly root: Group;
  /** Runs an operation of the library, and turns its failures into sentences. */
  readonly guarded: <T>(operation: () => T) => T;
  /** The group or dataset at a path; null where there is none. */
  readonly at: (path: string) => Entity | null;
  readonly isGroup: (entity: unknown) => entity is Group;
  readonly isDataset: (entity: unknown) => entity is Dataset;
}

/** The parts of a file in Emscripten's file system that are replaced here. */
interface MemoryNode {
  usedBytes: number;
  stream_ops: Readonly<Record<string, unknown>>;
}
interface MemoryFileSystem {
  readonly writeFile: (path: string, bytes: Uint8Array) => void;
  readonly lookupPath: (path: string) => { readonly node: MemoryNode };
  readonly ErrnoError: new (code: number) => Error;
}

/** EIO, as Emscripten numbers it. */
const ioError = 29;

async function load(): Promise<{ readonly library: typeof H5wasm; readonly system: MemoryFileSystem }> {
  try {
    const library = await import('h5wasm');
    const { FS } = await library.ready;
    return { library, system: FS as unknown as MemoryFileSystem };
  } catch {
    throw new PreviewError('network', 'The part of Benchport that reads HDF5 could not be loaded. Try again.');
  }
}

/** Begins to load the library, so that it comes together with the first bytes of the file. */
export function prepareHdf5(): void {
  // Opening the file loads it again, and says why where it cannot.
  load().catch(() => undefined);
}

/** Opens a file with the HDF5 library, which is loaded with the first file that needs it. */
export async function openHdf5(source: ByteSource): Promise<Hdf5File> {
  const { library, system } = await source.waitFor(load());
  let failed: unknown = null;
  // The library takes two files of one name for one file.
  const place = `/${crypto.randomUUID()}.h5`;
  system.writeFile(place, new Uint8Array());
  const { node } = system.lookupPath(place);
  node.usedBytes = source.length;
  node.stream_ops = {
    ...node.stream_ops,
    // An exception would leave the library in the middle of its work; an error code does not.
    read(_stream: unknown, memory: Int8Array, offset: number, length: number, position: number): number {
      try {
        const bytes = source.readNow(position, length);
        memory.set(bytes, offset);
        return bytes.length;
      } catch (error) {
        failed ??= error;
        throw new system.ErrnoError(ioError);
      }
    },
  };
  const guarded = <T>(operation: () => T): T => {
    failed = null;
    try {
      const result = operation();
      if (failed === null) return result;
    } catch (error) {
      if (error instanceof PreviewError) throw error;
      failed ??= error;
    }
    throw failed instanceof PreviewError ? failed : malformed(`The file is damaged here: ${wordsOf(failed)}`);
  };
  const root = guarded((): File => {
    const file = new library.File(place, 'r');
    if (file.file_id <= 0n)
      throw malformed('The file begins like HDF5 and is damaged: its first entries are not readable.');
    return file;
  });
  return {
    root,
    guarded,
    at: (path) => guarded(() => (path === '/' ? root : root.get(path))),
    isGroup: (entity): entity is Group => entity instanceof library.Group,
    isDataset: (entity): entity is Dataset => entity instanceof library.Dataset,
  };
}

function wordsOf(error: unknown): string {
  const words = error instanceof Error ? error.message.split('\n')[0] : String(error);
  return (words ?? '').slice(0, 200);
}
