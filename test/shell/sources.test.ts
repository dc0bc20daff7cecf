import fs from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

const root = path.resolve(import.meta.dirname, '../..');

const source = (name: string): Promise<string> => fs.readFile(path.join(root, name), 'utf8');

/** The sources under a folder with their text. */
async function sources(folder: string): Promise<{ name: string; text: string }[]> {
  const names = (await fs.readdir(path.join(root, folder), { recursive: true })).filter((name) =>
    /\.(ts|tsx|html|css)$/.test(name),
  );
  return Promise.all(
    names.map(async (name) => ({ name: path.join(folder, name), text: await source(path.join(folder, name)) })),
  );
}

/** The names of the sources in which a pattern occurs. */
async function mentions(folder: string, pattern: RegExp): Promise<string[]> {
  const found = await sources(folder);
  expect(found.length).toBeGreaterThan(0);
  return found.filter(({ text }) => pattern.test(text)).map(({ name }) => name);
}

describe('the sources', () => {
  it('E01 create every window with the one object of preferences', async () => {
    const makers = await mentions('src-main', /new (BrowserWindow|BrowserView|WebContentsView)\(/);
    expect(makers).toEqual(['src-main/shell/window/main-window.ts']);
    const text = await source('src-main/shell/window/main-window.ts');
    expect(text.match(/new BrowserWindow\(/g)).toHaveLength(1);
    expect(text).toMatch(/webPreferences: \{\s+\.\.\.securePreferences,/);
    for (const name of Object.keys((await import('../../src-main/shell/window/web-preferences.ts')).securePreferences))
      expect(text).not.toContain(`${name}:`);
  });

  it('E02 request the sandbox before the application is ready', async () => {
    const text = await source('src-main/main.ts');
    expect(text).toContain('app.enableSandbox()');
    expect(text.indexOf('app.enableSandbox()')).toBeLessThan(text.indexOf('runDesktop('));
    expect(text).not.toContain('await ');
  });

  it('E05 use ipcRenderer only inside functions of the one preload script', async () => {
    expect((await sources('src-preload')).map(({ name }) => name).toSorted()).toEqual([
      'src-preload/bridge.ts',
      'src-preload/index.ts',
    ]);
    const text = await source('src-preload/index.ts');
    expect(text.match(/exposeInMainWorld\(/g)).toHaveLength(1);
    expect(text).toContain('Object.freeze(bridge)');
  });

  it('E11 never override certificate errors', async () => {
    const overriding =
      /certificate-error|setCertificateVerifyProc|ignore-certificate-errors|rejectUnauthorized|NODE_TLS_REJECT/;
    for (const folder of ['src-main/shell', 'src-main/cli']) expect(await mentions(folder, overriding)).toEqual([]);
    // Only a server with a pinned certificate is exempt, which is stricter; pinning it needs to see
    // it first.
    for (const name of await mentions('src-main/service', overriding))
      expect(await source(name), name).toContain('fingerprint256');
  });

  it('E06 receive messages of pages in one place, which checks the sender first', async () => {
    expect(await mentions('src-main', /\bipcMain\b/)).toEqual(['src-main/shell/bridge/bridge-handlers.ts']);
    const text = await source('src-main/shell/bridge/bridge-handlers.ts');
    const listeners = text.match(/ipcMain\.(on|handle)\(/g) ?? [];
    expect(text.match(/trustedWindow\(event, deps\.ownContents\)/g)).toHaveLength(listeners.length);
  });

  it('E09 open anything outside only in the composition', async () => {
    expect(await mentions('src-main', /shell\.openExternal|shell\.openPath/)).toEqual(['src-main/shell/desktop.ts']);
  });

  it('E12 have no place for a secret in the desktop’s settings', async () => {
    expect(await mentions('src-main', /new Store[<(]/)).toEqual(['src-main/shell/settings/settings.ts']);
    const types =
      (await source('src-main/shell/settings/settings.ts')).match(/type: '[a-z]+'(, enum: \[[^\]]+\])?/g) ?? [];
    expect(types.length).toBeGreaterThan(5);
    expect(types.filter((type) => !/^type: '(object|boolean|integer|string', enum: .+)/.test(type))).toEqual([]);
  });

  it('E13 keep secrets in the dialog that shows them: in no store, cache or storage', async () => {
    const showing = await mentions('src-renderer/features', /\bCreated(Token|Application)\b/);
    expect(showing.length).toBeGreaterThan(3);
    for (const name of showing)
      expect([name, /createStore|setQueryData|localStorage|sessionStorage/.test(await source(name))]).toEqual([
        name,
        false,
      ]);
    expect((await mentions('src-renderer', /localStorage|sessionStorage|indexedDB/)).toSorted()).toEqual([
      'src-renderer/app/application.tsx',
      'src-renderer/features/errors/last-project.ts',
    ]);
  });

  it('E22 have one exact version of every package, and a digest in the lockfile', async () => {
    const { dependencies, devDependencies, optionalDependencies } = JSON.parse(await source('package.json')) as Record<
      string,
      Record<string, string>
    >;
    const wished = Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies });
    expect(wished.filter(([, version]) => !/^\d+\.\d+\.\d+$/.test(version))).toEqual([]);
    const { packages } = JSON.parse(await source('package-lock.json')) as {
      packages: Record<string, { version?: string; integrity?: string; inBundle?: true }>;
    };
    for (const [name, version] of wished)
      expect([name, packages[`node_modules/${name}`]?.version]).toEqual([name, version]);
    expect(
      Object.entries(packages).filter(
        ([name, one]) => name !== '' && !one.inBundle && !one.integrity?.startsWith('sha512-'),
      ),
    ).toEqual([]);
  });

  it('E23 run no text as code or markup in the user interface, and load nothing from elsewhere', async () => {
    expect(
      await mentions(
        'src-renderer',
        /dangerouslySetInnerHTML|\beval\(|new Function\(|\.innerHTML\b|insertAdjacentHTML|document\.write/,
      ),
    ).toEqual([]);
    expect(await mentions('src-renderer', /(src|href|url)\s*[=(]\s*["']?https?:\/\//)).toEqual([]);
  });
});
