import { crc32 as crcOf } from '@node-rs/crc32';
import {
  directoryEntryLength,
  endRecords,
  localHeaderLength,
  writeDirectoryEntry,
  writeLocalHeader,
} from '../../../src-shared/archive/zip-format.ts';
import type { DiagnosticsFile } from './diagnostics-parts.ts';

const readme = `What Benchport knows about itself, for someone helping with a problem. Secrets and the names of people and measurements are left out. Look through these plain text files before you pass them on.
`;

/** Builds the bundle as a ZIP in memory: its parts take one or two megabytes. */
export function diagnosticsZip(parts: readonly DiagnosticsFile[], at: number): Buffer {
  const contents = parts.map(({ name, about }) => `${name}: ${about}\n`).join('');
  const members = [{ name: 'README.txt', text: `${readme}\n${contents}` }, ...parts].map(({ name, text }) => {
    const bytes = Buffer.from(text);
    return {
      bytes,
      header: {
        path: `benchport-diagnostics/${name}`,
        length: bytes.length,
        crc32: crcOf(bytes) >>> 0,
        registeredAt: at,
      },
    };
  });
  const [bodies, entries]: [Buffer[], Buffer[]] = [[], []];
  let offset = 0;
  for (const { bytes, header } of members) {
    const local = Buffer.alloc(localHeaderLength(header));
    writeLocalHeader(local, 0, header);
    const entry = Buffer.alloc(directoryEntryLength(header, offset));
    writeDirectoryEntry(entry, 0, header, offset);
    bodies.push(local, bytes);
    entries.push(entry);
    offset += local.length + bytes.length;
  }
  const directory = Buffer.concat(entries);
  return Buffer.concat([...bodies, directory, endRecords(members.length, directory.length, offset)]);
}
