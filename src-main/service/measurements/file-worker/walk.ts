import { lstatSync, opendirSync, type Dir } from 'node:fs';
import path from 'node:path';
import { errorCode } from '../../common/error-code.ts';
import { ListingBuilder, type Listing } from '../../files/inspect-findings.ts';
import { groupMatcher, type NameGroup } from '../../../../src-shared/name-pattern.ts';

const recentMs = 10_000;

/**
 * Lists a folder as a measurement would contain it. Synchronous, one directory entry at a time:
 * call it in the worker thread only. Symbolic links are refused: their targets may lie elsewhere,
 * change, or vanish without a change of the folder.
 */
export function walkFolder(
  root: string,
  ignored: (name: string, folder: boolean) => boolean,
  checkAborted: () => void,
  only?: NameGroup,
): Listing {
  const belongs = only === undefined ? () => true : groupMatcher(only);
  const listing = new ListingBuilder();
  const folders = [{ native: '', shown: '' }];
  const rootAnd = root.endsWith(path.sep) ? root : root + path.sep;
  for (let folder = folders.pop(); folder; folder = folders.pop()) {
    const entries = openFolder(root, folder, listing);
    if (!entries) continue;
    let seen = 0;
    try {
      for (let entry = entries.readSync(); entry; entry = entries.readSync()) {
        seen += 1;
        checkAborted();
        if (folder.native === '' && !belongs(entry)) continue;
        const native = folder.native === '' ? entry.name : folder.native + path.sep + entry.name;
        const shown = folder.shown === '' ? entry.name : `${folder.shown}/${entry.name}`;
        if (entry.isDirectory()) {
          if (ignored(entry.name, true)) listing.ignored(`${shown}/`);
          else folders.push({ native, shown });
        } else if (ignored(entry.name, false)) listing.ignored(shown);
        else if (entry.isSymbolicLink()) listing.refuse(shown, 'it is a symbolic link');
        else addFile(rootAnd + native, native, shown, listing, folders);
      }
    } catch (error) {
      if (error instanceof Error && 'code' in error) listing.fail(`${folder.shown}/`, error);
      else throw error;
    } finally {
      entries.closeSync();
    }
    if (seen === 0 && folder.shown !== '')
      listing.warn(`${folder.shown}/`, 'the folder is empty and is not registered');
  }
  return listing.finish();
}

function openFolder(
  root: string,
  folder: { readonly native: string; readonly shown: string },
  listing: ListingBuilder,
): Dir | null {
  try {
    return opendirSync(path.join(root, folder.native), { bufferSize: 512 });
  } catch (error) {
    // If the root itself is missing, listing fails as a whole.
    if (folder.native === '') throw error;
    listing.fail(`${folder.shown}/`, error);
    return null;
  }
}

// Some file systems do not report the type of an entry, so entries that are neither folders nor
// links are examined with lstat.
function addFile(
  file: string,
  native: string,
  shown: string,
  listing: ListingBuilder,
  folders: { native: string; shown: string }[],
): void {
  let stats;
  try {
    stats = lstatSync(file, { bigint: true });
  } catch (error) {
    // Names that are not UTF-8 are read with replacement characters, and no file is found under
    // them.
    const mangled = native.includes('\ufffd') && errorCode(error) === 'ENOENT';
    if (mangled) listing.refuse(shown, 'the name is not valid UTF-8; rename it');
    else listing.fail(shown, error);
    return;
  }
  if (stats.isFile()) {
    const age = Date.now() - Number(stats.mtimeMs);
    if (age >= 0 && age < recentMs) listing.warn(shown, 'it was changed a moment ago and may still be written');
    listing.add({ path: shown, source: native, length: Number(stats.size), mtimeNs: String(stats.mtimeNs) });
  } else if (stats.isDirectory()) folders.push({ native, shown });
  else if (stats.isSymbolicLink()) listing.refuse(shown, 'it is a symbolic link');
  else if (stats.isFIFO()) listing.refuse(shown, 'it is a named pipe, not a file');
  else if (stats.isSocket()) listing.refuse(shown, 'it is a socket, not a file');
  else listing.refuse(shown, 'it is a device, not a file');
}

/** Lists a single file like a folder that contains only this file. */
export function listOneFile(file: string): Listing {
  const listing = new ListingBuilder();
  const name = path.basename(file);
  addFile(file, name, name, listing, []);
  return listing.finish();
}
