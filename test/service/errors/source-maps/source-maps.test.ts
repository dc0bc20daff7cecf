import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import type { UploadedSourceMap } from '../../../../src-main/service/contract/source-maps.ts';
import type { ErrorEventPage } from '../../../../src-main/service/contract/errors.ts';
import { startViewWorld } from '../view-world.ts';
import { useWorld } from '../../use-service.ts';

const world = useWorld(startViewWorld);
const address = '/api/v4/projects/lab%2Fqmr/error_tracking/source_maps';
// Line 1, column 1 maps to line 3, column 5 of the source; column 11 to line 4, column 5.
const map = (mark: string) => ({
  version: 3,
  sources: ['src/scan.ts', 'node_modules/lib/index.js'],
  sourcesContent: [['import x', 'function scan() {', `  ${mark}();`, '  throw new Error();', '}'].join('\n'), null],
  names: [],
  mappings: 'AAEI,UACA,UCFA',
});
const debugId = 'abcdef01-2345-6789-abcd-ef0123456789';

const upload = async (query: Record<string, string>, body: unknown = map(query['name'] ?? '')) =>
  world.as.developer('POST', `${address}?${new URLSearchParams(query)}`, body);

async function frameOf(
  file: string,
  options: { readonly release?: string; readonly line?: number; readonly column?: number; readonly more?: object } = {},
) {
  const frames = [
    {
      function: 't',
      filename: file,
      abs_path: file,
      lineno: options.line ?? 1,
      colno: options.column ?? 12,
      in_app: true,
    },
  ];
  const exception = { values: [{ type: `Error of ${file}`, value: '', stacktrace: { frames } }] };
  const id = await world.event({
    release: options.release,
    more: { platform: 'javascript', exception, ...options.more },
  });
  const { body } = await world.as.reporter('GET', `${world.errors}/${id}/events/latest`);
  const raw = await world.as.reporter('GET', `${world.errors}/${id}/events/latest/raw`);
  return {
    shown: (body as ErrorEventPage).event.exceptions[0]?.frames[0],
    raw: (raw.body as ErrorEventPage['event']).exceptions[0]?.frames[0],
  };
}

/**
 * Runs something and measures the processor time of this thread, which has the service's event
 * loop.
 */
async function shareOfThisThread<T>(act: () => Promise<T>): Promise<{ readonly value: T; readonly share: number }> {
  const spent = ({ user, system }: NodeJS.CpuUsage): number => user + system;
  const [all, here] = [process.cpuUsage(), process.threadCpuUsage()];
  const value = await act();
  return { value, share: spent(process.threadCpuUsage(here)) / spent(process.cpuUsage(all)) };
}

describe('source maps', () => {
  it('without a map, events stay unchanged', async () => {
    const { shown, raw } = await frameOf('https://bench.example/early.min.js');
    expect(shown).toEqual(raw);
  });

  it('show the source instead of the generated file, by release and name; the raw event stays as sent', async () => {
    expect(await upload({ name: '~/assets/app.min.js', release: 'ui@1' })).toMatchObject({
      status: 201,
      body: { name: '~/assets/app.min.js', release: 'ui@1', debug_id: null },
    });
    const { shown, raw } = await frameOf('https://bench.example/assets/app.min.js?v=2', { release: 'ui@1' });
    expect(shown).toMatchObject({
      filename: 'src/scan.ts',
      line: 4,
      column: 5,
      in_app: true,
      abs_path: 'https://bench.example/assets/app.min.js?v=2',
      pre_context: ['import x', 'function scan() {', '  ~/assets/app.min.js();'],
      context_line: '  throw new Error();',
      post_context: ['}'],
    });
    expect(raw).toMatchObject({ line: 1, column: 12, context_line: null });
    expect(
      (await frameOf('https://bench.example/assets/app.min.js', { release: 'ui@1', column: 1 })).shown,
    ).toMatchObject({ line: 3, column: 5 });
    expect((await frameOf('https://bench.example/assets/app.min.js', { release: 'ui@2' })).shown).toMatchObject({
      line: 1,
    });
  });

  it('mark frames of libraries', async () => {
    const { shown } = await frameOf('https://bench.example/assets/app.min.js', { release: 'ui@1', column: 25 });
    expect(shown).toMatchObject({ filename: 'node_modules/lib/index.js', in_app: false, context_line: null });
  });

  it('are found by debug id whatever the file is called', async () => {
    const { body } = await upload({ name: 'other.js' }, { ...map('by id'), debug_id: debugId });
    expect(body).toMatchObject({ debug_id: debugId.replaceAll('-', ''), release: null });
    const images = [{ type: 'sourcemap', code_file: 'app:///hashed-1234.js', debug_id: debugId }];
    const { shown } = await frameOf('app:///hashed-1234.js', { more: { debug_meta: { images } } });
    expect(shown).toMatchObject({ filename: 'src/scan.ts', line: 4 });
  });

  it('are replaced by a newer upload with the same name and release, listed and deleted', async () => {
    await upload({ name: '~/assets/app.min.js', release: 'ui@1' }, map('newer'));
    expect(
      (await frameOf('https://bench.example/assets/app.min.js', { release: 'ui@1' })).shown?.pre_context,
    ).toContain('  newer();');
    const list = (await world.as.reporter('GET', address)).body as UploadedSourceMap[];
    expect(list.map(({ name }) => name)).toEqual(['~/assets/app.min.js', 'other.js']);
    expect((await world.as.reporter('DELETE', address, { ids: [list[0]?.id] })).status).toBe(403);
    expect((await world.as.developer('DELETE', address, { ids: [list[0]?.id] })).status).toBe(204);
    expect((await frameOf('https://bench.example/assets/app.min.js', { release: 'ui@1' })).shown).toMatchObject({
      line: 1,
    });
  });

  it('may have some megabytes, and no more than their limit', async () => {
    expect((await upload({ name: 'big.js' }, { ...map('x'), sourcesContent: ['x'.repeat(3_000_000)] })).status).toBe(
      201,
    );
    expect((await upload({ name: 'big.js' }, { ...map('x'), sourcesContent: ['x'.repeat(68_000_000)] })).status).toBe(
      413,
    );
  });

  it('of thirty megabytes are read outside the event loop, on upload and when an event is shown', async () => {
    const file = 'https://bench.example/thirty.min.js';
    // Three million mappings precede the one that the event needs, so all of them must be read.
    const lines = 1_500_000;
    const sourcesContent = [
      `${map('thirty').sourcesContent[0]}\n${'const wavelength = calibrate(520);\n'.repeat(450_000)}`,
      null,
    ];
    const body = Buffer.from(
      JSON.stringify({ ...map(''), sourcesContent, mappings: `${'AAAC,CAAD;'.repeat(lines)}${map('').mappings}` }),
    );
    expect(body.length).toBeGreaterThan(30_000_000);
    const headers = {
      'private-token': await world.token(world.userIds.developer, ['api']),
      'content-type': 'application/json',
    };
    const url = `http://127.0.0.1:${world.port}${address}?name=${encodeURIComponent(file)}`;
    const taken = await shareOfThisThread(async () => fetch(url, { method: 'POST', headers, body }));
    expect(taken.value.status).toBe(201);
    const read = await shareOfThisThread(async () => frameOf(file, { line: lines + 1 }));
    expect(read.value.shown).toMatchObject({
      filename: 'src/scan.ts',
      line: 4,
      pre_context: ['import x', 'function scan() {', '  thirty();'],
    });
    expect(taken.share).toBeLessThan(0.5);
    expect(read.share).toBeLessThan(0.5);
  });

  it('that are malformed are refused, and one that cannot be read hides nothing', async () => {
    expect((await upload({ name: 'x' }, { version: 2, mappings: '', sources: [] })).status).toBe(400);
    expect((await upload({ name: 'x' }, { version: 3, sources: [] })).status).toBe(400);
    expect((await world.as.reporter('POST', `${address}?name=x`, map('x'))).status).toBe(403);
    expect(
      (await upload({ name: '~/broken.js' }, { version: 3, sources: ['a'], mappings: '!!!!;;;,,,zzzzzzzz' })).status,
    ).toBe(201);
    const { shown } = await frameOf('https://bench.example/broken.js');
    expect(shown?.function).toBe('t');
  });

  it('with excessively long names are shown with truncated names, because each frame repeats a name', async () => {
    const long = { ...map('long'), sourceRoot: 'r'.repeat(100_000), sources: ['s'.repeat(100_000), null] };
    expect((await upload({ name: '~/long.js' }, long)).status).toBe(201);
    expect((await frameOf('https://bench.example/long.js')).shown?.filename).toBe(
      `${'r'.repeat(1024)}${'s'.repeat(1024)}`,
    );
  });

  it('are authorized before the body is read, and the memory of waiting bodies is limited', async () => {
    const tokens = await Promise.all(
      ['reporter', 'developer'].map(async (who) => world.token(world.userIds[who as 'reporter'], ['api'])),
    );
    const begin = (token = '', type = 'application/json'): Socket => {
      const socket = connect(world.port, '127.0.0.1').setEncoding('utf8');
      const head = [
        'Host: 127.0.0.1',
        `Authorization: Bearer ${token}`,
        `Content-Type: ${type}`,
        `Content-Length: ${60 * 1024 * 1024}`,
      ];
      socket.write(`POST ${address}?name=slow.js HTTP/1.1\r\n${head.join('\r\n')}\r\n\r\n{`);
      return socket;
    };
    const answer = async (socket: Socket): Promise<string> => {
      const [text] = (await once(socket, 'data')) as [string];
      socket.destroy();
      return text.slice(0, 12);
    };
    expect(await answer(begin(tokens[0]))).toBe('HTTP/1.1 403');
    const slow = Array.from({ length: 5 }, () => begin(tokens[1]));
    expect(await Promise.any(slow.map(answer))).toBe('HTTP/1.1 503');
    for (const socket of slow) socket.destroy();
    // A sender with the role is refused before the body too.
    const other = async (): Promise<string> => answer(begin(tokens[1], 'text/plain'));
    await expect.poll(other, { timeout: 30_000 }).toBe('HTTP/1.1 415');
  });
});
