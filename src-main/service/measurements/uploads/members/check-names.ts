import path from 'node:path';
import { ListingBuilder, type Findings } from '../../../files/inspect-findings.ts';
import { fileOfLine, manifestName } from './expected-file.ts';
import { LineReader } from './line-reader.ts';

/**
 * Checks the names of a stored manifest as those of a folder are: each alone, then with each other.
 */
export function checkNames(folder: string): Findings {
  const lines = new LineReader(path.join(folder, manifestName));
  const listing = new ListingBuilder();
  try {
    for (let line = lines.next(); line !== null; line = lines.next()) {
      const { path: name, length } = fileOfLine(line);
      if (name === name.normalize('NFC')) listing.add({ path: name, source: '', length, mtimeNs: '' });
      else listing.refuse(name, 'its name is not in the composed form of Unicode (NFC)');
    }
  } finally {
    lines.close();
  }
  return listing.finish().refusals;
}
