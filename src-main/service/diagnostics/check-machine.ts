import { constants, existsSync } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import path from 'node:path';
import { lockDataDirectory } from '../database/lock.ts';
import { errorCode } from '../common/error-code.ts';
import { formatBytes } from '../common/format-bytes.ts';
import { freeBytes, minFreeBytes } from '../common/free-bytes.ts';
import { listen } from '../http/server/listen.ts';
import { StartError } from '../common/start-error.ts';
import { isNodeSupported, minNode } from './node-version.ts';

/** One line of the output of `benchport doctor`. */
export interface Finding {
  readonly check: string;
  readonly ok: boolean;
  readonly detail: string;
}

/**
 * Checks everything that does not depend on stored data: Node, the data directory, its disk, the
 * port.
 */
export async function checkMachine(dataDir: string, port: number): Promise<readonly Finding[]> {
  const findings = [checkNode(), await checkRights(dataDir)];
  if (existsSync(dataDir)) findings.push(await checkDisk(dataDir));
  const running = isServiceRunning(dataDir);
  findings.push(
    running
      ? { check: 'port', ok: true, detail: 'a service is running on this data directory' }
      : await checkPort(port),
  );
  return findings;
}

function checkNode(): Finding {
  const { node } = process.versions;
  const ok = isNodeSupported(node);
  return { check: 'Node', ok, detail: ok ? node : `${node} is too old; install ${minNode.join('.')} or newer` };
}

async function checkRights(dataDir: string): Promise<Finding> {
  const check = 'data directory';
  try {
    const { mode } = await stat(dataDir);
    await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
    if (process.platform !== 'win32' && (mode & 0o077) !== 0) {
      return {
        check,
        ok: false,
        detail: `other users of this machine can look into ${dataDir}; run: chmod 700 ${JSON.stringify(dataDir)}`,
      };
    }
    return { check, ok: true, detail: dataDir };
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return { check, ...(await checkPlace(dataDir)) };
    return { check, ok: false, detail: `${dataDir} cannot be read and written; give this user access to it` };
  }
}

/** Whether a missing directory can be created. */
async function checkPlace(dataDir: string): Promise<Omit<Finding, 'check'>> {
  let parent = path.dirname(dataDir);
  while (!existsSync(parent)) parent = path.dirname(parent);
  try {
    await access(parent, constants.W_OK | constants.X_OK);
    return { ok: true, detail: `${dataDir} is not there yet; the first start makes it` };
  } catch {
    return {
      ok: false,
      detail: `${dataDir} cannot be made, because ${parent} cannot be written; give this user access to it, or name another one with --data`,
    };
  }
}

async function checkDisk(dataDir: string): Promise<Finding> {
  const free = await freeBytes(dataDir);
  const ok = free >= minFreeBytes;
  return {
    check: 'disk',
    ok,
    detail: `${formatBytes(free)} free${ok ? '' : `; at least ${formatBytes(minFreeBytes)} is needed`}`,
  };
}

function isServiceRunning(dataDir: string): boolean {
  // Trying the lock would create a missing directory.
  if (!existsSync(path.join(dataDir, 'service.lock'))) return false;
  try {
    lockDataDirectory(dataDir)();
    return false;
  } catch (error) {
    return error instanceof StartError && error.code === 'data-in-use';
  }
}

async function checkPort(port: number): Promise<Finding> {
  const check = 'port';
  const server = createServer();
  try {
    await listen(server, { host: '127.0.0.1', port });
    return { check, ok: true, detail: `${port} is free` };
  } catch {
    return {
      check,
      ok: false,
      detail: `${port} cannot be used; stop the other program, or choose another port with --port`,
    };
  } finally {
    server.close();
  }
}
