// npm run package:linux: a Debian package and a tar.gz from the unpacked directory, made with
// Debian's tools only, and an rpm if rpmbuild is installed.
import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { buildAll } from './build.mjs';
import { packageDirectory } from './package.mjs';
import { inRoot, requireNode24 } from './lib/project.mjs';

const { version, description } = JSON.parse(fs.readFileSync(inRoot('package.json'), 'utf8'));
const sizes = ['16x16', '32x32', '48x48', '64x64', '128x128', '256x256', '512x512'];

// Libraries that Electron links against, by names that Debian 12 and Ubuntu 24.04 share or provide.
const depends = [
  'libgtk-3-0 | libgtk-3-0t64',
  'libnss3',
  'libnotify4',
  'libxss1 | libxss1t64',
  'libxtst6',
  'xdg-utils',
  'libatspi2.0-0 | libatspi2.0-0t64',
  'libasound2 | libasound2t64',
  'libgbm1',
  'libuuid1',
  'libsecret-1-0',
];

/** Installs the files below a folder that stands for the root of the file system. */
function installInto(tree, unpacked) {
  const at = (...parts) => path.join(tree, ...parts);
  fs.mkdirSync(at('opt'), { recursive: true });
  fs.cpSync(unpacked, at('opt/Benchport'), { recursive: true });
  fs.mkdirSync(at('usr/bin'), { recursive: true });
  fs.symlinkSync('/opt/Benchport/benchport', at('usr/bin/benchport-desktop'));
  fs.mkdirSync(at('usr/share/applications'), { recursive: true });
  fs.copyFileSync(inRoot('assets/linux/benchport.desktop'), at('usr/share/applications/benchport.desktop'));
  for (const size of sizes) {
    const folder = at('usr/share/icons/hicolor', size, 'apps');
    fs.mkdirSync(folder, { recursive: true });
    fs.copyFileSync(inRoot(`assets/icons/${size}.png`), path.join(folder, 'benchport.png'));
  }
  fs.mkdirSync(at('usr/share/man/man1'), { recursive: true });
  fs.writeFileSync(at('usr/share/man/man1/benchport.1.gz'), gzipSync(fs.readFileSync(inRoot('out/benchport.1'))));
  fs.mkdirSync(at('usr/share/doc/benchport'), { recursive: true });
  fs.copyFileSync(inRoot('LICENSE'), at('usr/share/doc/benchport/copyright'));
  fs.chmodSync(at('opt/Benchport/chrome-sandbox'), 0o4755);
}

/**
 * Runs `act` with a temporary folder beside the packages that stands for the root of the file
 * system.
 */
function inTree(output, act) {
  const tree = fs.mkdtempSync(path.join(output, '.tree-'));
  fs.chmodSync(tree, 0o755);
  try {
    return act(tree);
  } finally {
    fs.rmSync(tree, { recursive: true, force: true });
  }
}

/**
 * Makes a Debian package of an unpacked directory.
 * @param compression as dpkg-deb names it.
 * @returns its path.
 */
export function debianPackage(unpacked, output, compression = 'zstd') {
  return inTree(output, (tree) => {
    installInto(tree, unpacked);
    fs.mkdirSync(path.join(tree, 'DEBIAN'));
    fs.writeFileSync(path.join(tree, 'DEBIAN/control'), control(tree));
    const file = path.join(output, `benchport_${version}_amd64.deb`);
    execFileSync('dpkg-deb', ['--root-owner-group', `-Z${compression}`, '-b', tree, file], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    return file;
  });
}

/**
 * Makes an rpm of an unpacked directory.
 * @returns its path; null without rpmbuild.
 */
function rpmPackage(unpacked, output) {
  if (spawnSync('rpmbuild', ['--version']).status !== 0) return null;
  return inTree(output, (tree) => {
    fs.mkdirSync(path.join(tree, 'root'));
    installInto(path.join(tree, 'root'), unpacked);
    const spec = path.join(tree, 'benchport.spec');
    fs.writeFileSync(spec, rpmSpec());
    const macros = [
      `_topdir ${path.join(tree, 'work')}`,
      `_rpmdir ${output}`,
      '_rpmfilename %{NAME}-%{VERSION}-1.%{ARCH}.rpm',
      '_build_id_links none',
    ];
    const defines = macros.flatMap((macro) => ['--define', macro]);
    execFileSync(
      'rpmbuild',
      [
        '-bb',
        '--quiet',
        '--buildroot',
        path.join(tree, 'buildroot'),
        ...defines,
        '--define',
        `tree ${path.join(tree, 'root')}`,
        spec,
      ],
      {
        stdio: ['ignore', 'ignore', 'inherit'],
      },
    );
    return path.join(output, `benchport-${version}-1.x86_64.rpm`);
  });
}

/**
 * Stripping and dependency scanning are off: Electron's fuses and the archive must stay unchanged.
 */
function rpmSpec() {
  return `Name: benchport
Version: ${version}
Release: 1
Summary: Serves lab measurements
License: MIT
AutoReqProv: no
Requires: gtk3, nss, libnotify, libXScrnSaver, libXtst, xdg-utils, at-spi2-core, alsa-lib, mesa-libgbm, libuuid, libsecret
%global __os_install_post %{nil}
%global debug_package %{nil}
%description
${description}
%install
cp -a %{tree}/. %{buildroot}
%files
%defattr(-,root,root)
/opt/Benchport
/usr/bin/benchport-desktop
/usr/share/applications/benchport.desktop
/usr/share/icons/hicolor/*/apps/benchport.png
/usr/share/man/man1/benchport.1.gz
%doc /usr/share/doc/benchport/copyright
`;
}

function control(tree) {
  const kilobytes = execFileSync('du', ['-sk', tree], { encoding: 'utf8' }).split('\t')[0];
  return `Package: benchport
Version: ${version}
Section: science
Priority: optional
Architecture: amd64
Maintainer: Benchport contributors <maintainers@benchport.invalid>
Installed-Size: ${kilobytes}
Depends: ${depends.join(', ')}
Description: ${description}
`;
}

function tarball(unpacked, output) {
  const file = path.join(output, `benchport-${version}-linux-x64.tar.gz`);
  const folder = `benchport-${version}`;
  execFileSync('tar', [
    '-czf',
    file,
    '--owner=0',
    '--group=0',
    `--transform=s,^linux-unpacked,${folder},`,
    '-C',
    path.dirname(unpacked),
    'linux-unpacked',
  ]);
  return file;
}

if (import.meta.main) {
  requireNode24();
  try {
    await buildAll();
    const unpacked = await packageDirectory();
    const output = path.dirname(unpacked);
    console.log(debianPackage(unpacked, output));
    console.log(tarball(unpacked, output));
    console.log(rpmPackage(unpacked, output) ?? 'no rpm: rpmbuild is not installed');
  } catch (error) {
    console.error(`package: ${error.message}`);
    process.exitCode = 1;
  }
}
