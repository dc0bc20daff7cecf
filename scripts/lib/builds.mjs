// The builds: sources, settings and output folders.
import { builtinModules } from 'node:module';
import react from '@vitejs/plugin-react';
import { hdf5FilterName, hdf5Library } from './hdf5-library.mjs';
import { packedAssets } from './packed-assets.mjs';
import { inRoot, root } from './project.mjs';

/** Packages with native code stay in node_modules; everything else is bundled. */
export const native = ['better-sqlite3', '@node-rs/argon2', '@node-rs/crc32', 'koffi'];
const builtins = builtinModules.flatMap((name) => [name, `node:${name}`]);

/** The four builds, in order. */
export const builds = [
  { name: 'main', config: (mode) => forNode('main', { index: 'src-main/main.ts' }, 'es', ['electron'], mode) },
  {
    name: 'service',
    config: (mode) =>
      forNode(
        'service',
        {
          service: 'src-main/service/main.ts',
          cli: 'src-main/cli/main.ts',
          'hash-worker': 'src-main/service/measurements/file-worker/hash-worker.ts',
          'scan-worker': 'src-main/service/capture/scanning/scan-worker.ts',
          'receive-worker': 'src-main/service/measurements/uploads/members/receive-worker.ts',
          'direct-worker': 'src-main/service/measurements/uploads/direct/direct-worker.ts',
          'unpack-worker': 'src-main/service/measurements/uploads/unpack/unpack-worker.ts',
          'read-worker': 'src-main/service/database/sqlite/read-worker.ts',
          'data-worker': 'src-main/service/backup/data-worker.ts',
          'event-worker': 'src-main/service/errors/ingest/event-worker.ts',
          'source-map-worker': 'src-main/service/errors/source-maps/source-map-worker.ts',
          'remote-files-worker': 'src-main/service/servers/remote-files-worker.ts',
          'password-strength-worker': 'src-main/service/secrets/password-strength-worker.ts',
          'fetch-worker': 'src-main/service/fetching/engine/worker/fetch-worker.ts',
          'incremental-hash-worker': 'src-main/service/fetching/engine/checksums/incremental-hash-worker.ts',
        },
        'es',
        native,
        mode,
      ),
  },
  {
    name: 'preload',
    config: (mode) => forNode('preload', { index: 'src-preload/index.ts' }, 'cjs', ['electron'], mode),
  },
  { name: 'renderer', config: rendererConfig },
];

function forNode(name, input, format, external, mode) {
  return {
    configFile: false,
    root,
    mode,
    logLevel: 'warn',
    envPrefix: [],
    publicDir: false,
    define: { 'process.env.NODE_ENV': JSON.stringify(mode) },
    resolve: { conditions: ['node'], mainFields: ['module', 'main'] },
    plugins: format === 'es' ? [leanBuiltins] : [],
    ssr: { noExternal: true },
    build: {
      ssr: true,
      target: 'node20.18',
      outDir: `out/${name}`,
      emptyOutDir: true,
      minify: false,
      sourcemap: true,
      rolldownOptions: {
        input,
        external: [...builtins, 'node:sqlite', ...external],
        output: {
          format,
          entryFileNames: format === 'cjs' ? '[name].cjs' : '[name].js',
          chunkFileNames: 'shared/[name]-[hash].js',
          // The source text stays in memory while the program runs, at twice the size if it has one
          // character beyond Latin-1: five megabytes for the service.
          charset: 'ascii',
          comments: false,
        },
      },
    },
  };
}

/**
 * Takes Node's built-in modules from `process.getBuiltinModule` instead of importing them: an
 * import evaluates every export, including those that Node loads lazily, such as WebCrypto for
 * `crypto` or `diff` for `util`, which costs a short command a twentieth of its time.
 */
const leanBuiltins = {
  name: 'lean-builtins',
  // Replaces line by line, so that the source map stays valid.
  renderChunk: (code) => ({
    code: code.replaceAll(
      /^import (?:([\w$]+),? )?(?:\{ ([^}]*) \} )?from "(node:[\w/]+)";$/gm,
      (_, whole, named, id) => {
        if (named?.includes('default as'))
          throw new Error(`${id}: a default import together with others has to come first, under its own name`);
        // A package may import `node:process` as `process`, which this chunk then declares.
        const builtin = `globalThis.process.getBuiltinModule("${id}")`;
        const members = named?.replaceAll(' as ', ': ');
        return `var ${[whole && `${whole} = ${builtin}`, members && `{ ${members} } = ${whole ?? builtin}`].filter(Boolean).join(', ')};`;
      },
    ),
    map: null,
  }),
};

/** The user interface; `npm run dev` serves it from memory with the same settings. */
export function rendererConfig(mode) {
  return {
    configFile: false,
    root: inRoot('src-renderer'),
    mode,
    base: '/',
    logLevel: 'warn',
    envPrefix: [],
    plugins: [react(), packedAssets],
    // A worker that loads a part only when it needs it cannot be one script.
    worker: {
      format: 'es',
      plugins: () => [hdf5Library],
      rollupOptions: { output: { assetFileNames: hdf5FilterName } },
    },
    build: {
      target: 'chrome130',
      outDir: inRoot('out/renderer'),
      emptyOutDir: true,
      sourcemap: true,
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      chunkSizeWarningLimit: 2000,
    },
  };
}
