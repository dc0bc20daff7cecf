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
  /** Whether the program of a filter was added, by its registered number. */
  readonly hasFilter: (id: number) => boolean;
  /** Gives the library the program of a filter, before the first read that needs it. */
  readonly addFilter: (id: number, program: Uint8Array) => void;
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
  readonly mkdirTree: (path: string) => void;
  readonly analyzePath: (path: string) => { readonly exists: boolean };
  readonly lookupPath: (path: string) => { readonly node: MemoryNode };
  readonly ErrnoError: new (code: number) => Error;
}

/** Where the library looks for the programs of filters. */
const filterFolder = '/usr/local/hdf5/lib/plugin';
const filterPlace = (id: number): string => `${filterFolder}/libH5Z${id}.so`;

/** EIO, as Emscripten numbers it. */
const ioError = 29;

/** The part of the library that reads values, and whether its results are looked at. */
interface ReadingPart {
  get_dataset_data: (...where: never[]) => number;
  tellsFailures?: boolean;
}

async function load(): Promise<{ readonly library: typeof H5wasm; readonly system: MemoryFileSystem }> {
  try {
    const library = await import('h5wasm');
    const ready = await library.ready;
    tellFailures(ready);
    return { library, system: ready.FS as unknown as MemoryFileSystem };
  } catch {
    throw new PreviewError('network', 'The part of Benchport that reads HDF5 could not be loaded. Try again.');
  }
}

/** The library gives whatever is in its memory for values that it could not unpack. */
function tellFailures(part: ReadingPart): void {
  if (part.tellsFailures === true) return;
  const read = part.get_dataset_data;
  part.tellsFailures = true;
  part.get_dataset_data = (...where) => {
    const status = read(...where);
    if (status < 0) throw malformed('The values of this dataset are damaged, or packed in a way of their own.');
    return status;
  };
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
  let isStopped = false;
  const guarded = <T>(operation: () => T): T => {
    // Its memory may be in disorder, and what it says then is no part of the file.
    if (isStopped) throw stopped();
    failed = null;
    try {
      const result = operation();
      if (failed === null) return result;
    } catch (error) {
      isStopped = error instanceof WebAssembly.RuntimeError;
      if (isStopped) throw stopped();
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
    hasFilter: (id) => system.analyzePath(filterPlace(id)).exists,
    addFilter: (id, program) => {
      system.mkdirTree(filterFolder);
      system.writeFile(filterPlace(id), program);
    },
    isGroup: (entity): entity is Group => entity instanceof library.Group,
    isDataset: (entity): entity is Dataset => entity instanceof library.Dataset,
  };
}

function stopped(): PreviewError {
  return malformed('A damaged part of the file stopped the HDF5 library. Open the file again to see other parts.');
}

function wordsOf(error: unknown): string {
  const words = error instanceof Error ? error.message.split('\n')[0] : String(error);
  return (words ?? '').slice(0, 200);
}
