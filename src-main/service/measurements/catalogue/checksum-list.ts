import type { FilesStore } from '../store/files-store.ts';

const rowsPerSlice = 256;

/**
 * Yields a list for `sha256sum -c` in chunks. Names with a backslash or line break are escaped like
 * in coreutils.
 */
export async function* checksumList(files: FilesStore, measurementId: string): AsyncGenerator<string> {
  for (let index = 0; ;) {
    const rows = await files.from(measurementId, index, rowsPerSlice);
    const last = rows.at(-1);
    if (!last) return;
    yield rows.map((row) => checksumLine(row.sha256, row.path)).join('');
    index = last.idx + 1;
    await new Promise(setImmediate);
  }
}

function checksumLine(sha256: Buffer, path: string): string {
  const escaped = path
    .replaceAll('\\', '\\\\')
    .replaceAll('\n', String.raw`\n`)
    .replaceAll('\r', String.raw`\r`);
  return `${escaped === path ? '' : '\\'}${sha256.toString('hex')}  ${escaped}\n`;
}
