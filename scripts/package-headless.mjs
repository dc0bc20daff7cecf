// npm run package:headless: an npm package for servers without a display: `npm install --global
// benchport-VERSION.tgz`.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { buildAll } from './build.mjs';
import { inRoot, requireNode24 } from './lib/project.mjs';

const launcher = `#!/usr/bin/env node
await import('../out/service/cli.js');
`;

/**
 * Packs command line, service and pages from the current build.
 * @param output an existing folder.
 * @returns the path of the package.
 */
export function packHeadless(output) {
  const stage = fs.mkdtempSync(path.join(os.tmpdir(), 'benchport-pack-'));
  try {
    const manifest = JSON.parse(fs.readFileSync(inRoot('package.json'), 'utf8'));
    const { name, version, description, license, author, type, engines, dependencies } = manifest;
    const own = {
      name,
      version,
      description,
      license,
      author,
      type,
      engines,
      bin: { benchport: 'bin/benchport.js' },
      man: ['out/benchport.1'],
      dependencies,
    };
    fs.writeFileSync(path.join(stage, 'package.json'), `${JSON.stringify(own, null, 2)}\n`);
    fs.mkdirSync(path.join(stage, 'bin'));
    fs.writeFileSync(path.join(stage, 'bin/benchport.js'), launcher, { mode: 0o755 });
    for (const part of ['out/service', 'out/renderer', 'assets/sample-measurement', 'deploy']) copy(part, stage);
    for (const file of [
      'LICENSE',
      'README.md',
      'CHANGELOG.md',
      'docs/administrator-guide.md',
      'docs/api-guide.md',
      'assets/mark.svg',
      'assets/linux/benchport.service',
      'out/THIRD-PARTY-NOTICES.txt',
      'out/sbom.cdx.json',
      'out/benchport.1',
    ])
      copy(file, stage);
    const packed = execFileSync('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', output], {
      cwd: stage,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return path.join(output, fileNameOf(JSON.parse(packed)));
  } finally {
    fs.rmSync(stage, { recursive: true, force: true });
  }
}

function copy(part, stage) {
  fs.mkdirSync(path.dirname(path.join(stage, part)), { recursive: true });
  // Secrets that somebody keeps beside the compose file are nobody else's.
  const secrets = inRoot('deploy/secrets');
  const filter = (file) => !file.endsWith('.map') && file !== secrets;
  fs.cpSync(inRoot(part), path.join(stage, part), { recursive: true, filter });
}

/** npm prints a list, or since version 12 an object by name. */
function fileNameOf(answer) {
  const [one] = Array.isArray(answer) ? answer : Object.values(answer);
  return one.filename;
}

if (import.meta.main) {
  requireNode24();
  try {
    await buildAll();
    fs.mkdirSync(inRoot('release'), { recursive: true });
    console.log(packHeadless(inRoot('release')));
  } catch (error) {
    console.error(`package: ${error.message}`);
    process.exitCode = 1;
  }
}
