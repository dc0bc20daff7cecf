import { createHash, randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { beforeAll, expect, it } from 'vitest';
import { ZipFile } from 'yazl';
import type { UploadedSourceMap } from '../../../../src-main/service/contract/source-maps.ts';
import { chunkBytes } from '../../../../src-main/service/errors/artifact-uploads/upload-limits.ts';
import { startProjectService, type Person } from '../project-fixture.ts';
import { useWorld } from '../../use-service.ts';

const service = useWorld(startProjectService);
const organization = '/api/0/organizations/lab';
const tokens: Partial<Record<Person, string>> = {};
beforeAll(async () => {
  for (const person of ['reporter', 'developer', 'maintainer', 'outsider'] as const)
    tokens[person] = await service.token(service.userIds[person], ['api']);
});

const sha1 = (content: Buffer): string => createHash('sha1').update(content).digest('hex');

interface Part {
  readonly field: string;
  readonly name: string;
  readonly content: Buffer;
}
const chunk = (content: Buffer): Part => ({ field: 'file_gzip', name: sha1(content), content: gzipSync(content) });

async function send(
  parts: readonly Part[],
  person: Person = 'developer',
  headers: Record<string, string> = {},
): Promise<{ status: number; detail: string }> {
  const form = new FormData();
  for (const { field, name, content } of parts) form.append(field, new Blob([Uint8Array.from(content)]), name);
  const answer = await fetch(`http://127.0.0.1:${service.port}${organization}/chunk-upload/`, {
    method: 'POST',
    headers: { authorization: `Bearer ${tokens[person]}`, ...headers },
    body: form,
  });
  return { status: answer.status, detail: ((await answer.json()) as { detail?: string }).detail ?? '' };
}

async function bundleOf(files: Readonly<Record<string, string | Buffer>>): Promise<Buffer> {
  const zip = new ZipFile();
  for (const [name, content] of Object.entries(files)) zip.addBuffer(Buffer.from(content), name);
  zip.end();
  const pieces: Buffer[] = [];
  for await (const piece of zip.outputStream) pieces.push(piece as Buffer);
  return Buffer.concat(pieces);
}

const map = JSON.stringify({ version: 3, sources: ['a.ts'], sourcesContent: ['x'], names: [], mappings: 'AAAA' });
const manifestOf = (maps: number, marks: object = {}): string => {
  const files: Record<string, object> = {};
  for (let index = 0; index < maps; index += 1) {
    files[`f/${index}.js`] = {
      type: 'minified_source',
      url: `~/${index}.js`,
      headers: { Sourcemap: `${index}.js.map` },
    };
    files[`f/${index}.js.map`] = { type: 'source_map', url: `~/${index}.js.map` };
  }
  return JSON.stringify({ files, ...marks });
};

type Assembled = { readonly state: string; readonly missingChunks: readonly string[]; readonly detail: string | null };
async function assemble(
  bundle: Buffer,
  body: object = {},
  person: Person = 'developer',
): Promise<{ status: number; answer: Assembled }> {
  const chunks: string[] = [];
  for (let at = 0; at < bundle.length; at += chunkBytes) chunks.push(sha1(bundle.subarray(at, at + chunkBytes)));
  const request = { checksum: sha1(bundle), chunks, projects: ['qmr'], ...body };
  for (;;) {
    const { status, body: answer } = await service.with(tokens[person] ?? null)(
      'POST',
      `${organization}/artifactbundle/assemble/`,
      request,
    );
    if ((answer as Partial<Assembled>).state !== 'assembling') return { status, answer: answer as Assembled };
  }
}

async function upload(bundle: Buffer, body: object = {}): Promise<Assembled> {
  for (let at = 0; at < bundle.length; at += chunkBytes)
    expect(await send([chunk(bundle.subarray(at, at + chunkBytes))])).toMatchObject({ status: 200 });
  return (await assemble(bundle, body)).answer;
}

const names = async (): Promise<string[]> =>
  (
    (await service.as.developer('GET', '/api/v4/projects/lab%2Fqmr/error_tracking/source_maps'))
      .body as UploadedSourceMap[]
  ).map(({ name }) => name);
const waiting = async () => service.services.uploadChunks.waiting(service.userIds.developer);

it('A2: a bundle is uploaded in chunks, and the chunks of a user belong to nobody else', async () => {
  const bundle = await bundleOf({ 'f/0.js': 'x', 'f/0.js.map': map, 'manifest.json': manifestOf(1) });
  expect((await assemble(bundle)).answer).toEqual({ state: 'not_found', missingChunks: [sha1(bundle)], detail: null });
  expect(await send([chunk(bundle)])).toMatchObject({ status: 200 });
  expect((await assemble(bundle, {}, 'maintainer')).answer.state).toBe('not_found');
  expect((await assemble(bundle, { version: 'ui@1' })).answer.state).toBe('ok');
  expect(await names()).toEqual(['~/0.js']);
  // A repeated request finds it done; its chunks are gone.
  expect((await assemble(bundle, { version: 'ui@1' })).answer.state).toBe('ok');
  expect(await waiting()).toEqual({ own: 0, all: 0 });
});

it.each<[string, () => readonly Part[], RegExp]>([
  ['another digest', () => [{ ...chunk(Buffer.from('a')), name: sha1(Buffer.from('b')) }], /SHA-1 that it is named by/],
  ['no digest', () => [{ ...chunk(Buffer.from('a')), name: '../../etc/passwd' }], /40 hexadecimal/],
  ['another part', () => [{ ...chunk(Buffer.from('a')), field: 'upload' }], /named `file`/],
  ['no gzip', () => [{ ...chunk(Buffer.from('a')), content: Buffer.from('plain') }], /no gzip/],
  ['a small gzip that unpacks to 100 MiB', () => [chunk(Buffer.alloc(100 * 1024 * 1024))], /larger than 1048576/],
  [
    'a chunk one byte too large',
    () => [{ field: 'file', name: sha1(Buffer.alloc(chunkBytes + 1)), content: Buffer.alloc(chunkBytes + 1) }],
    /larger than 1048576/,
  ],
  ['five chunks', () => Array.from({ length: 5 }, (_none, index) => chunk(Buffer.from([index]))), /at most 4/],
  ['no chunk', () => [], /no (chunk|whole)/],
])('A2: %s is refused with 400', async (_name, parts, detail) => {
  const { status, detail: said } = await send(parts());
  expect({ status, said }).toEqual({ status: 400, said: expect.stringMatching(detail) as string });
  await service.services.uploadChunks.removeOlder(Date.now() + 1);
});

it('A2: a request that is too large, of another type, of a stranger or below the role is refused', async () => {
  const large = Array.from({ length: 5 }, () => ({ field: 'file', name: 'x', content: randomBytes(chunkBytes) }));
  expect(await send(large)).toMatchObject({ status: 413 });
  expect(await send([chunk(Buffer.from('a'))], 'developer', { 'content-type': 'text/plain' })).toMatchObject({
    status: 415,
  });
  expect(await send([chunk(Buffer.from('a'))], 'outsider')).toMatchObject({ status: 404 });
  expect(await send([chunk(Buffer.from('a'))], 'reporter')).toMatchObject({ status: 403 });
  const bundle = await bundleOf({ 'manifest.json': '{}' });
  expect((await assemble(bundle, {}, 'outsider')).status).toBe(404);
  expect((await assemble(bundle, { projects: ['qmr', 'elsewhere'] })).status).toBe(404);
  expect((await assemble(bundle, { chunks: [] })).status).toBe(400);
  expect((await assemble(bundle, { chunks: Array.from({ length: 257 }, () => sha1(bundle)) })).status).toBe(400);
});

it.each<[string, () => Promise<Buffer>, RegExp]>([
  ['that is no ZIP', async () => Buffer.from('not a bundle'), /cannot be read/],
  ['without a manifest', async () => bundleOf({ 'a.js': 'x' }), /no manifest/],
  [
    'whose manifest is none',
    async () => bundleOf({ 'manifest.json': '{"files": [1, 2]}' }),
    /no manifest of artifacts/,
  ],
  ['whose manifest names what is not there', async () => bundleOf({ 'manifest.json': manifestOf(1) }), /not in it/],
  ['with a map that is none', async () => bundleOf({ 'f/0.js.map': '[]', 'manifest.json': manifestOf(1) }), /./],
  [
    'whose small map unpacks to 200 MiB',
    async () => bundleOf({ 'f/0.js.map': Buffer.alloc(200 * 1024 * 1024, ' '), 'manifest.json': manifestOf(1) }),
    /larger than/,
  ],
  [
    'whose small manifest unpacks to 64 MiB',
    async () => bundleOf({ 'manifest.json': `{"files":{}${' '.repeat(64 * 1024 * 1024)}}` }),
    /larger than/,
  ],
])('A2: a bundle %s is an error with the reason, and its chunks are removed', async (_name, make, detail) => {
  const before = await names();
  const bundle = await make();
  expect(await upload(bundle)).toEqual({
    state: 'error',
    missingChunks: [],
    detail: expect.stringMatching(detail) as string,
  });
  expect(await names()).toEqual(before);
  expect(await waiting()).toEqual({ own: 0, all: 0 });
});

it('A2: chunks that do not make up the named bundle are an error', async () => {
  const bundle = await bundleOf({ 'f/0.js.map': map, 'manifest.json': manifestOf(1) });
  expect(await send([chunk(bundle)])).toMatchObject({ status: 200 });
  expect((await assemble(bundle, { checksum: sha1(Buffer.from('other')) })).answer).toMatchObject({
    state: 'error',
    detail: expect.stringContaining('checksum') as string,
  });
});

it('A2: hundreds of maps in a bundle of several chunks arrive, and a missing last chunk is named', async () => {
  const files: Record<string, string> = { 'manifest.json': manifestOf(300) };
  for (let index = 0; index < 300; index += 1)
    files[`f/${index}.js.map`] = map.replace('"x"', JSON.stringify(randomBytes(6000).toString('base64')));
  const bundle = await bundleOf(files);
  expect(bundle.length).toBeGreaterThan(chunkBytes);
  expect(await send([chunk(bundle.subarray(0, chunkBytes))])).toMatchObject({ status: 200 });
  expect((await assemble(bundle)).answer).toMatchObject({
    state: 'not_found',
    missingChunks: [sha1(bundle.subarray(chunkBytes))],
  });
  expect(await upload(bundle, { version: 'many@1' })).toMatchObject({ state: 'ok' });
  expect((await names()).filter((name) => /^~\/\d+\.js$/.test(name)).length).toBeGreaterThanOrEqual(300);
});

it('A2: the source maps of a project are limited: the oldest are removed first', async () => {
  const { sourceMaps } = service.services;
  const before = await names();
  await sourceMaps.removeOldest(service.projectId, 10, Number.MAX_SAFE_INTEGER);
  expect(await names()).toEqual(before.slice(0, 10));
  await sourceMaps.removeOldest(service.projectId, 10, 0);
  expect(await names()).toEqual([]);
});
