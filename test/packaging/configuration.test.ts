import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { icns, ico } from '../../scripts/icons.mjs';

const root = path.resolve(import.meta.dirname, '../..');
const at = (name: string) => path.join(root, name);

/** The part of the configuration checked here. */
interface Configuration {
  readonly appId: string;
  readonly publish: unknown;
  readonly fileAssociations?: unknown;
  readonly protocols: readonly { readonly schemes: readonly string[] }[];
  readonly linux: { readonly icon: string; readonly target: readonly string[] };
  readonly win: {
    readonly icon: string;
    readonly target: readonly { readonly target: string; readonly arch: readonly string[] }[];
  };
  readonly nsis: { readonly installerIcon: string; readonly uninstallerIcon: string };
  readonly mac: {
    readonly icon: string;
    readonly hardenedRuntime: boolean;
    readonly entitlements: string;
    readonly entitlementsInherit: string;
    readonly target: readonly { readonly target: string; readonly arch: string }[];
  };
}

/**
 * electron-builder's internal reader. It validates the schema only when a package is made, in
 * package.spec.ts.
 */
interface Builder {
  getConfig(folder: string, file: string, overrides: null): Promise<Configuration>;
}

const own = createRequire(createRequire(import.meta.url).resolve('electron-builder'));
const builder = own('app-builder-lib/out/util/config/config') as Builder;
let configuration: Configuration;

beforeAll(async () => {
  configuration = await builder.getConfig(root, 'electron-builder.yml', null);
});

describe('the configuration of packages', () => {
  it('names every kind of package', () => {
    expect(configuration.linux.target).toEqual(['AppImage', 'deb', 'rpm', 'tar.gz']);
    expect(configuration.win.target.map(({ target }) => target)).toEqual(['nsis', 'zip']);
    expect(configuration.mac.target).toEqual([
      { target: 'dmg', arch: 'universal' },
      { target: 'zip', arch: 'universal' },
    ]);
  });

  it('hardens the runtime of macOS, except for code that V8 compiles', async () => {
    expect(configuration.mac).toMatchObject({
      hardenedRuntime: true,
      entitlementsInherit: configuration.mac.entitlements,
    });
    const granted = await readFile(at(configuration.mac.entitlements), 'utf8');
    expect([...granted.matchAll(/<key>(.*?)<\/key>/g)].map((match) => match[1])).toEqual([
      'com.apple.security.cs.allow-jit',
    ]);
  });

  it('opens links and no files, and gets only updates that someone configured', () => {
    expect(configuration.protocols.flatMap(({ schemes }) => schemes)).toEqual(['benchport']);
    expect(configuration.fileAssociations).toBeUndefined();
    expect(configuration.publish).toBeNull();
  });
});

it('the configuration of a release, as docs/release.md shows it, extends this one', async () => {
  const [, example = ''] = /```yaml\n(.*?)```/s.exec(await readFile(at('docs/release.md'), 'utf8')) ?? [];
  const folder = await mkdtemp(path.join(os.tmpdir(), 'bp-release-'));
  try {
    await writeFile(path.join(folder, 'release.yml'), example);
    expect(await builder.getConfig(root, path.join(folder, 'release.yml'), null)).toMatchObject({
      appId: configuration.appId,
      publish: { provider: 'generic', url: /^url: (https:.*)$/m.exec(example.replaceAll(/^ +/gm, ''))?.[1] },
      extraMetadata: { updateKey: expect.stringMatching(/^MCowBQYDK2VwAyEA/) },
      mac: { hardenedRuntime: true, notarize: true },
      win: { icon: configuration.win.icon },
    });
  } finally {
    await rm(folder, { recursive: true });
  }
});

describe('icons', () => {
  it('exist for each platform, made of the same pictures', async () => {
    for (const size of [16, 32, 48, 64, 128, 256, 512, 1024]) {
      const picture = await readFile(at(path.join(configuration.linux.icon, `${size}x${size}.png`)));
      expect([picture.readUInt32BE(16), picture.readUInt32BE(20)], `${size}`).toEqual([size, size]);
    }
    for (const file of [configuration.win.icon, configuration.nsis.installerIcon, configuration.nsis.uninstallerIcon]) {
      expect((await readFile(at(file))).equals(ico()), file).toBe(true);
    }
    expect((await readFile(at(configuration.mac.icon))).equals(icns())).toBe(true);
  });

  it('of Windows start with bitmaps, whose pixels are those of the pictures', () => {
    const icon = ico();
    const entry = (index: number) => ({
      size: icon.readUInt32LE(6 + 16 * index + 8),
      offset: icon.readUInt32LE(6 + 16 * index + 12),
    });
    const small = icon.subarray(entry(0).offset, entry(0).offset + entry(0).size);
    expect([small.readUInt32LE(0), small.readInt32LE(4), small.readInt32LE(8), small.readUInt16LE(14)]).toEqual([
      40, 16, 32, 32,
    ]);
    // The mark is one blue with transparent corners.
    const pixel = (x: number, y: number) => [...small.subarray(40 + ((15 - y) * 16 + x) * 4).subarray(0, 4)];
    expect(pixel(0, 0)[3]).toBe(0);
    expect(pixel(8, 1)).toEqual([0xcb, 0x6b, 0x0b, 255]);
    expect(icon.subarray(entry(5).offset).subarray(1, 4).toString('latin1')).toBe('PNG');
  });
});
