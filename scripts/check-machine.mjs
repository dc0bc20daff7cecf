// Checks that this machine has the programs that the tests need, and installs missing ones if
// permitted.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { isRoot } from './lib/project.mjs';

/** A package without a command, such as a library for Python, Go or Ruby. */
const debianPackage = (name, rest = {}) => ({ file: `/var/lib/dpkg/info/${name}.list`, packages: [name], ...rest });

/**
 * Required programs, how to detect them, and their Debian packages (a second name if later releases
 * renamed it). `ifAvailable` entries are checked only if this release has the package; their tests
 * report otherwise.
 */
const needs = [
  { command: ['chromium'], packages: ['chromium'] },
  debianPackage('chromium-headless-shell', { ifAvailable: true }),
  { command: ['Xvfb'], packages: ['xvfb'] },
  { command: ['xauth'], packages: ['xauth'] },
  { command: ['xdotool'], packages: ['xdotool'] },
  { library: 'libgtk-3.so.0', packages: ['libgtk-3-0', 'libgtk-3-0t64'] },
  { library: 'libnss3.so', packages: ['libnss3'] },
  { library: 'libasound.so.2', packages: ['libasound2', 'libasound2t64'] },
  { library: 'libgbm.so.1', packages: ['libgbm1'] },
  { file: '/usr/share/fonts/truetype/liberation', packages: ['fonts-liberation'] },
  { file: '/etc/ssl/certs/ca-certificates.crt', packages: ['ca-certificates'] },
  { command: ['curl'], packages: ['curl'] },
  { command: ['wget'], packages: ['wget'] },
  { command: ['aria2c'], packages: ['aria2'] },
  // WebDAV clients.
  { command: ['rclone'], packages: ['rclone'] },
  { command: ['cadaver'], packages: ['cadaver'] },
  { command: ['mount.davfs'], packages: ['davfs2'] },
  { command: ['gio'], packages: ['libglib2.0-bin'] },
  { command: ['dbus-run-session'], packages: ['dbus-daemon', 'dbus'] },
  debianPackage('gvfs-backends'),
  debianPackage('gvfs-daemons'),
  { command: ['unzip'], packages: ['unzip'] },
  { command: ['jq'], packages: ['jq'] },
  { command: ['bsdtar'], packages: ['libarchive-tools'] },
  { command: ['7zz', '7z'], packages: ['7zip'] },
  { command: ['nginx'], packages: ['nginx-light'] },
  { command: ['haproxy'], packages: ['haproxy'] },
  { file: '/usr/lib/postgresql', packages: ['postgresql'] },
  { command: ['python3'], packages: ['python3'] },
  // Network failures, and disks that lose power.
  { command: ['ip'], packages: ['iproute2'] },
  { command: ['mkfs.ext4'], packages: ['e2fsprogs'] },
  // Checks the systemd unit of the headless service.
  { command: ['systemd-analyze'], packages: ['systemd'] },
  // Checks the file for containers, without any container.
  { command: ['docker-compose'], packages: ['docker-compose'] },
  // OAuth clients written by others.
  { command: ['git'], packages: ['git'] },
  { command: ['git-credential-oauth'], packages: ['git-credential-oauth'] },
  { command: ['go'], packages: ['golang-go'] },
  debianPackage('golang-golang-x-oauth2-dev'),
  debianPackage('python3-requests-oauthlib'),
  debianPackage('python3-authlib'),
  debianPackage('python3-gitlab'),
  debianPackage('ruby-omniauth-gitlab'),
  debianPackage('puma'),
  { command: ['oathtool'], packages: ['oathtool'] },
  { command: ['openssl'], packages: ['openssl'] },
  // The examples for R.
  { command: ['Rscript'], packages: ['r-base-core'] },
  // Sentry SDKs and the Python client; pip installs what they need.
  debianPackage('python3-venv'),
  debianPackage('ruby-sentry-ruby-core', { ifAvailable: true }),
  debianPackage('ruby-sentry-raven', { ifAvailable: true }),
  // The OAuth provider that ours is compared with.
  debianPackage('ruby-doorkeeper', { ifAvailable: true }),
  debianPackage('ruby-doorkeeper-openid-connect', { ifAvailable: true }),
  debianPackage('ruby-activerecord', { ifAvailable: true }),
  debianPackage('ruby-sqlite3', { ifAvailable: true }),
];

/** True if everything is present or was installed. */
export function checkMachine(report = console.log) {
  if (process.platform !== 'linux') {
    report('machine: the tests run on Debian and its relatives; elsewhere only "npm run unit" is expected to work');
    return false;
  }
  const missing = findMissing();
  const canInstall = isRoot && isOnPath('apt-get');
  if (missing.every((need) => need.ifAvailable && !canInstall && !isAvailable(need))) {
    report('machine: everything the tests need is here');
    return true;
  }
  if (!canInstall) {
    report(
      `machine: these are missing; install them as root with\n  apt-get update && apt-get install -y --no-install-recommends ${missing.filter(isAvailable).map(packageOf).join(' ')}`,
    );
    return false;
  }
  return install(missing, report);
}

function install(missing, report) {
  report(`machine: installing what is missing: ${missing.map((need) => need.packages[0]).join(', ')}`);
  if (!aptGet(['update', '-q'], report)) return false;
  const wanted = missing.filter(isAvailable);
  if (!aptGet(['install', '-y', '-q', '--no-install-recommends', ...wanted.map(packageOf)], report)) return false;
  const still = findMissing().filter(isAvailable);
  if (still.length > 0)
    report(`machine: still missing after the installation: ${still.map((need) => need.packages[0]).join(', ')}`);
  return still.length === 0;
}

function aptGet(args, report) {
  const result = spawnSync('apt-get', args, {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  });
  if (result.status !== 0) report(`machine: "apt-get ${args.join(' ')}" failed`);
  return result.status === 0;
}

/** The package's name in this Debian release. */
function packageOf(need) {
  return need.packages.find(hasCandidate) ?? need.packages[0];
}

/** False for an `ifAvailable` entry whose package this release lacks. */
function isAvailable(need) {
  return !need.ifAvailable || need.packages.some(hasCandidate);
}

/** Whether apt has a version of this very package, not only others that provide it. */
function hasCandidate(name) {
  const { stdout } = spawnSync('apt-cache', ['policy', name], { encoding: 'utf8' });
  return /Candidate: (?!\(none\))/.test(stdout ?? '');
}

function findMissing() {
  const libraries = spawnSync(isOnPath('ldconfig') ?? 'ldconfig', ['-p'], { encoding: 'utf8' }).stdout ?? '';
  return needs.filter((need) => {
    if (need.command) return !need.command.some(isOnPath);
    if (need.library) return !libraries.includes(`\t${need.library} `);
    return !fs.existsSync(need.file);
  });
}

/** Whether a command exists. Servers such as nginx lie in folders that may not be on the PATH. */
function isOnPath(command) {
  const folders = [...(process.env.PATH ?? '').split(path.delimiter), '/usr/sbin', '/sbin'];
  return folders.map((folder) => path.join(folder, command)).find((file) => fs.existsSync(file));
}

if (import.meta.main) process.exitCode = checkMachine() ? 0 : 1;
