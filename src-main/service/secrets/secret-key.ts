import { randomBytes } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { countOf } from '../common/count-of.ts';
import { errorCode } from '../common/error-code.ts';
import { StartError } from '../common/start-error.ts';

const keyLength = 32;

export interface SecretKeySource {
  readonly dataDir: string;
  /** The file that all replicas share; `secret.key` in the data directory when left out. */
  readonly secretKeyFile?: string;
}

/**
 * A function that reads the key of an installation, and makes it if it belongs to one data
 * directory alone.
 */
export function secretKeyOf({ dataDir, secretKeyFile }: SecretKeySource): () => Buffer {
  if (secretKeyFile !== undefined) return () => readSharedKey(secretKeyFile);
  const file = path.join(dataDir, 'secret.key');
  return () => readKey(file) ?? makeKey(file);
}

/** @throws StartError `data-unusable` with a line that says how to make one. */
function readSharedKey(file: string): Buffer {
  const make = `Make it once with: head -c ${keyLength} /dev/urandom > ${file}, and give each replica the same one.`;
  try {
    const key = readKey(file);
    if (key !== null) return key;
  } catch (error) {
    const why = error instanceof Error ? error.message : 'it cannot be read';
    throw new StartError('data-unusable', `The secret key file cannot be used: ${why}`, { cause: error });
  }
  throw new StartError('data-unusable', `There is no secret key file ${file}. ${make}`);
}

function readKey(file: string): Buffer | null {
  try {
    const key = readFileSync(file);
    if (key.length !== keyLength)
      throw new Error(
        `${file} is damaged: it has ${countOf(key.length, 'byte')} instead of ${keyLength}. Restore it from a backup.`,
      );
    return key;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    throw error;
  }
}

// Written completely under another name first: a second process that creates one at the same time,
// or a kill, must not leave half a key or two keys.
function makeKey(file: string): Buffer {
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  const partial = `${file}.${randomBytes(6).toString('hex')}`;
  writeFileSync(partial, randomBytes(keyLength), { mode: 0o600, flag: 'wx', flush: true });
  try {
    linkSync(partial, file);
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
  } finally {
    rmSync(partial);
  }
  const key = readKey(file);
  if (!key) throw new Error(`${file} could not be made`);
  return key;
}
