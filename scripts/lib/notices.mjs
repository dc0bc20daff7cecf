// Third-party packages in the product, and their licences.
import fs from 'node:fs';
import path from 'node:path';
import { inRoot } from './project.mjs';

/**
 * SPDX ids of licences that may be shipped with MIT-licensed code. Any other licence fails the
 * build until it has been reviewed.
 */
const allowed = new Set([
  'MIT',
  'MIT-0',
  'ISC',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'Apache-2.0',
  '0BSD',
  'Unlicense',
  'CC0-1.0',
  'BlueOak-1.0.0',
  'Python-2.0',
  'Zlib',
  'NIST-Software',
]);

/** Licences that a package states as a text alone, as they were read in it. */
const read = { h5wasm: 'NIST-Software AND BSD-3-Clause' };

/** Parts of others within packages that do not name them. */
const contained = {
  'h5wasm-plugins': {
    licence: 'Apache-2.0 AND BSD-3-Clause AND BSD-2-Clause AND MIT',
    text: inRoot('scripts/lib/hdf5-filters-notices.txt'),
  },
};

/** A plugin that records the packages that end up in a bundle. */
export function notePackages(found) {
  return {
    name: 'note-packages',
    generateBundle(_options, bundle) {
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== 'chunk') continue;
        for (const [file, { renderedLength }] of Object.entries(chunk.modules))
          if (renderedLength > 0) note(found, file);
      }
    },
  };
}

function note(found, file) {
  const place = /^(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(file.replaceAll('\\', '/').replace(/^\0/, ''))?.[1];
  if (place) found.add(place);
}

/** The packages that are shipped as packages, with their dependencies, from node_modules. */
export function installedWith(names, found) {
  const queue = [...names];
  const seen = new Set();
  for (let name = queue.shift(); name !== undefined; name = queue.shift()) {
    const folder = inRoot('node_modules', name);
    if (seen.has(name) || !fs.existsSync(folder)) continue;
    seen.add(name);
    found.add(folder);
    const manifest = readManifest(folder);
    queue.push(...Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies }));
  }
}

/**
 * Writes the notices that the licences require, and the bill of materials (CycloneDX 1.5), into a
 * folder.
 * @throws Error naming packages whose licence is not allowed.
 */
export function writeNotices(found, folder) {
  const packages = [...found].map(describe).toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const refused = packages.filter(({ licence }) => !isAllowed(licence));
  if (refused.length > 0)
    throw new Error(
      `licences to be looked at: ${refused.map(({ name, licence }) => `${name} (${licence})`).join(', ')}`,
    );
  const parts = packages.map(
    ({ name, version, licence, text }) => `${name} ${version}\nLicence: ${licence}\n\n${text}`,
  );
  fs.writeFileSync(
    path.join(folder, 'THIRD-PARTY-NOTICES.txt'),
    `Benchport contains the following software of others.\n\n${parts.join(`\n\n${'-'.repeat(80)}\n\n`)}\n`,
  );
  fs.writeFileSync(path.join(folder, 'sbom.cdx.json'), `${JSON.stringify(billOfMaterials(packages), null, 2)}\n`);
}

function billOfMaterials(packages) {
  const { name, version } = readManifest(inRoot('.'));
  const component = (one) => ({
    type: 'library',
    'bom-ref': purl(one),
    name: one.name,
    version: one.version,
    purl: purl(one),
    licenses: [/\s/.test(one.licence) ? { expression: one.licence } : { license: { id: one.licence } }],
  });
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: { component: { type: 'application', name, version } },
    components: packages.map(component),
  };
}

/** A package URL for npm; the at sign of a scope is escaped (purl-spec). */
const purl = ({ name, version }) => `pkg:npm/${name.replace('@', '%40')}@${version}`;

/** Whether an SPDX expression can be met with the allowed licences; one alternative is enough. */
export function isAllowed(expression) {
  return expression
    .replaceAll(/[()]/g, '')
    .split(/\s+OR\s+/)
    .some((choice) => choice.split(/\s+AND\s+/).every((licence) => allowed.has(licence.trim())));
}

function describe(folder) {
  const manifest = readManifest(folder);
  const stated = typeof manifest.license === 'string' ? manifest.license : (manifest.license?.type ?? 'unknown');
  const more = contained[manifest.name];
  const licence = more?.licence ?? (stated.startsWith('SEE LICENSE IN') ? (read[manifest.name] ?? stated) : stated);
  const texts = fs
    .readdirSync(folder)
    .filter((name) => /^(licen[cs]e|notice|copying)/i.test(name) && fs.statSync(path.join(folder, name)).isFile())
    .map((name) => path.join(folder, name));
  if (more) texts.push(more.text);
  return {
    name: manifest.name,
    version: manifest.version,
    licence,
    text:
      texts.map((file) => fs.readFileSync(file, 'utf8').trim()).join('\n\n') ||
      '(The package comes without a text of its licence.)',
  };
}

function readManifest(folder) {
  return JSON.parse(fs.readFileSync(path.join(folder, 'package.json'), 'utf8'));
}
