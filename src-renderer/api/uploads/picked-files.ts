import { defaultIgnoreList, ignoreMatcher } from '../../../src-shared/ignore-patterns.ts';
import { compareCodePoints } from '../../../src-shared/measurement-names.ts';

/** A file with its path in the measurement. */
export interface PickedFile {
  readonly path: string;
  readonly file: File;
}

export interface Picked {
  /** Of the folder, or of the first file. */
  readonly name: string;
  /** Sorted as a manifest is. */
  readonly files: readonly PickedFile[];
  readonly bytes: number;
  /** Number of files of operating systems and office programs, which are left out. */
  readonly ignored: number;
}

const isIgnored = ignoreMatcher(defaultIgnoreList);

/** Files that were chosen with a dialog: of a folder, or several. */
export function pickedOf(list: FileList): Picked {
  return pick([...list].map((file) => ({ path: file.webkitRelativePath || file.name, file })));
}

/**
 * The dropped files. Call it within the drop event: the browser empties the transfer afterwards.
 */
export async function droppedOf(transfer: DataTransfer): Promise<Picked> {
  const items = [...transfer.items].map((item) => ({ entry: item.webkitGetAsEntry(), file: item.getAsFile() }));
  const found: PickedFile[] = [];
  for (const { entry, file } of items) {
    if (entry !== null) await collect(entry, found);
    else if (file !== null) found.push({ path: file.name, file });
  }
  return pick(found);
}

async function collect(entry: FileSystemEntry, found: PickedFile[]): Promise<void> {
  if (isFile(entry)) {
    const file = await new Promise<File>((resolve, reject) => entry.file(resolve, reject));
    found.push({ path: entry.fullPath.replace(/^\//, ''), file });
  } else if (isFolder(entry)) {
    for (const child of await childrenOf(entry)) await collect(child, found);
  }
}

async function childrenOf(folder: FileSystemDirectoryEntry): Promise<readonly FileSystemEntry[]> {
  const reader = folder.createReader();
  const children: FileSystemEntry[] = [];
  // Chromium gives at most a hundred at a time.
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (some.length === 0) return children;
    children.push(...some);
  }
}

function isFile(entry: FileSystemEntry): entry is FileSystemFileEntry {
  return entry.isFile;
}

function isFolder(entry: FileSystemEntry): entry is FileSystemDirectoryEntry {
  return entry.isDirectory;
}

function pick(found: readonly PickedFile[]): Picked {
  const kept = found.filter(({ file }) => !isIgnored(file.name, false));
  const folder = commonFolder(kept);
  const files = kept
    .map(({ path, file }) => ({ path: path.slice(folder.length).normalize('NFC'), file }))
    .toSorted((one, other) => compareCodePoints(one.path, other.path));
  return {
    name: folder === '' ? (files[0]?.file.name ?? '') : folder.slice(0, -1),
    files,
    bytes: files.reduce((sum, { file }) => sum + file.size, 0),
    ignored: found.length - kept.length,
  };
}

/** The folder that all paths begin with, and its slash; it names the measurement, and is no part of it. */
function commonFolder(files: readonly PickedFile[]): string {
  const first = files[0]?.path ?? '';
  const folder = first.slice(0, first.indexOf('/') + 1);
  return files.every(({ path }) => path.startsWith(folder)) ? folder : '';
}
