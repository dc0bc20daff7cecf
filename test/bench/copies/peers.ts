import { certificateArguments } from '../../service/certificate-arguments.ts';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { freePort } from '../../free-port.ts';
import { mustRun } from '../../service/run-program.ts';
import { until } from '../../service/until.ts';
import type { Copied } from './copies-bench.ts';

/** Other programs that copy folders to a server of theirs. */
export interface Peers {
  rsync(folder: string): Promise<Copied>;
  /** With `--fsync`, so that it ends when the files are on the disk, as ours does. */
  rsyncSynced(folder: string): Promise<Copied>;
  rclone(folder: string): Promise<Copied>;
  stop(): Promise<void>;
}

/** Starts sshd, and rclone as a WebDAV server that speaks HTTPS, both for this run alone. */
export async function startPeers(dir: string): Promise<Peers> {
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const [ssh, dav] = [await startSshd(dir), await startDav(dir)];
  let copies = 0;
  const rsync = async (folder: string, more: readonly string[]): Promise<Copied> => {
    const target = path.join(dir, `rsynced-${(copies += 1)}`);
    const options = `ssh -p ${ssh.port} -i ${dir}/key -o StrictHostKeyChecking=no -o UserKnownHostsFile=${dir}/known`;
    const to = `${os.userInfo().username}@127.0.0.1:${target}/`;
    return timed('rsync', ['-a', ...more, '-e', options, `${folder}/`, to], target);
  };
  return {
    rsync: async (folder) => rsync(folder, []),
    rsyncSynced: async (folder) => rsync(folder, ['--fsync']),
    rclone: async (folder) => {
      // Its server would take a folder that was removed between two rounds for full.
      const name = `copied-${(copies += 1)}`;
      const target = path.join(dir, 'dav', name);
      const to = `:webdav,url='https://127.0.0.1:${dav.port}':${name}`;
      return timed('rclone', ['copy', '--no-check-certificate', '--config', `${dir}/none`, folder, to], target);
    },
    stop: async () => {
      for (const { process: child } of [ssh, dav]) {
        child.kill('SIGTERM');
        await once(child, 'close');
      }
    },
  };
}

interface Daemon {
  readonly port: number;
  readonly process: ChildProcess;
}

async function startSshd(dir: string): Promise<Daemon> {
  const port = await freePort();
  for (const name of ['key', 'host'])
    await mustRun('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', `${dir}/${name}`]);
  // The daemon of one run needs this folder even where no other was ever started.
  if (process.getuid?.() === 0) mkdirSync('/run/sshd', { recursive: true });
  const options = [
    `Port=${port}`,
    'ListenAddress=127.0.0.1',
    `HostKey=${dir}/host`,
    `AuthorizedKeysFile=${dir}/key.pub`,
    'PidFile=none',
    'StrictModes=no',
    'UsePAM=no',
  ];
  const child = spawn('/usr/sbin/sshd', ['-D', '-f', '/dev/null', ...options.flatMap((one) => ['-o', one])], {
    stdio: 'ignore',
  });
  await until(() => isOpen(port), 'a peer listens');
  return { port, process: child };
}

async function startDav(dir: string): Promise<Daemon> {
  const port = await freePort();
  const [cert, key] = [`${dir}/cert.pem`, `${dir}/cert.key`];
  const subject = ['-subj', '/CN=127.0.0.1', '-days', '1', '-keyout', key, '-out', cert];
  await mustRun('openssl', [...certificateArguments, ...subject]);
  mkdirSync(`${dir}/dav`);
  const args = [
    'serve',
    'webdav',
    '--addr',
    `127.0.0.1:${port}`,
    '--cert',
    cert,
    '--key',
    key,
    '--config',
    `${dir}/none`,
  ];
  const child = spawn('rclone', [...args, `${dir}/dav`], { stdio: 'ignore' });
  await until(() => isOpen(port), 'a peer listens');
  return { port, process: child };
}

async function isOpen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });
}

/**
 * Runs a program that copies into a new folder. Only a large file is removed afterwards: ext4 avoids
 * the inodes of files that were removed within minutes, which made all programs search for others.
 */
async function timed(program: string, args: readonly string[], target: string): Promise<Copied> {
  mkdirSync(target, { recursive: true });
  const began = performance.now();
  await mustRun(program, args);
  const seconds = (performance.now() - began) / 1000;
  const files = readdirSync(target);
  if (files.length === 0) throw new Error(`${program} copied nothing`);
  if (files.length === 1) rmSync(target, { recursive: true, force: true });
  return { seconds, maxResidentBytes: Number.NaN };
}
