import { describe, expect, test } from 'vitest';
import { useWorld } from '../../use-service.ts';
import { basic, registeredAt, startDavWorld } from './dav-world.ts';

const world = useWorld(startDavWorld);
const hrefs = async (path: string): Promise<readonly string[]> => (await world.list(path)).map(({ href }) => href);
const prop = (...names: readonly string[]) => `<propfind xmlns="DAV:"><prop>${names.join('')}</prop></propfind>`;

describe('folders', () => {
  test('the root has the measurements that a user may read', async () => {
    expect(await hrefs('/dav/')).toEqual(['/dav/', '/dav/run-1/']);
    const response = await world.dav('PROPFIND', '/dav/', {
      headers: { depth: '1', authorization: basic('bob', world.bob) },
    });
    expect(await response.text()).not.toContain('run-1');
  });

  test('a measurement and its folders have what is directly in them, each once', async () => {
    expect(await hrefs('/dav/run-1/')).toEqual([
      '/dav/run-1/',
      '/dav/run-1/a.txt',
      '/dav/run-1/raw-notes.txt',
      '/dav/run-1/raw.txt',
      '/dav/run-1/raw/',
      '/dav/run-1/raw0',
      '/dav/run-1/with/',
    ]);
    expect(await hrefs('/dav/run-1/raw')).toEqual([
      '/dav/run-1/raw/',
      '/dav/run-1/raw/deep/',
      '/dav/run-1/raw/scan%201.csv',
      '/dav/run-1/raw/scan%202.csv',
    ]);
    expect(await hrefs('/dav/run-1/with/')).toEqual(['/dav/run-1/with/', '/dav/run-1/with/-/']);
    expect(await hrefs('/dav/run-1/with/-/')).toEqual(['/dav/run-1/with/-/', '/dav/run-1/with/-/dash']);
  });

  test('a name with every difficult character comes back by its address, also in the Unicode form of macOS', async () => {
    const [, file] = await world.list('/dav/run-1/raw/deep/');
    expect(file?.found['displayname']).toBe('ä&<"#%.bin');
    for (const address of [file?.href ?? '', (file?.href ?? '').replace('%C3%A4', 'a%CC%88')]) {
      const response = await world.dav('GET', address);
      expect([response.status, (await response.arrayBuffer()).byteLength]).toEqual([200, 5000]);
    }
  });

  test('Depth 0 describes one resource', async () => {
    expect(await world.list('/dav/run-1/raw/', '0')).toHaveLength(1);
    const [file] = await world.list('/dav/run-1/a.txt', '0');
    expect(file).toMatchObject({
      href: '/dav/run-1/a.txt',
      found: {
        resourcetype: '',
        displayname: 'a.txt',
        getcontentlength: '5',
        getcontenttype: 'text/plain; charset=utf-8',
        getlastmodified: new Date(registeredAt).toUTCString(),
      },
    });
    expect(await world.list('/dav/run-1/a.txt', '1')).toEqual([file]);
  });

  test('the properties of a file are the headers of GET', async () => {
    const [file] = await world.list('/dav/run-1/raw/scan%201.csv', '0');
    const response = await world.dav('HEAD', '/dav/run-1/raw/scan%201.csv');
    expect(file?.found).toMatchObject({
      getetag: response.headers.get('etag'),
      getlastmodified: response.headers.get('last-modified'),
      getcontentlength: response.headers.get('content-length'),
      getcontenttype: response.headers.get('content-type'),
    });
  });

  test('a page of links for a browser, at an address with a slash', async () => {
    const moved = await world.dav('GET', '/dav/run-1/raw');
    expect([moved.status, moved.headers.get('location')]).toEqual([302, '/dav/run-1/raw/']);
    const page = await (await world.dav('GET', '/dav/run-1/raw/')).text();
    expect(page).toContain('<a href="/dav/run-1/raw/scan%201.csv">scan 1.csv</a>');
    expect(await (await world.dav('GET', '/dav/')).text()).toContain('<a href="/dav/run-1/">run-1/</a>');
    const head = await world.dav('HEAD', '/dav/');
    expect([head.status, await head.text()]).toEqual([200, '']);
  });
});

describe('a propfind', () => {
  test('has what was asked for, and says what a resource lacks', async () => {
    const [folder, file] = await world.list(
      '/dav/run-1/raw/deep/',
      '1',
      prop('<getcontentlength/>', '<x:y xmlns:x="urn:x"/>'),
    );
    expect(folder).toMatchObject({ found: {}, missing: ['{urn:x}y', 'getcontentlength'] });
    expect(file).toMatchObject({ found: { getcontentlength: '5000' }, missing: ['{urn:x}y'] });
  });

  test('without a body or with allprop has all properties, with propname their names', async () => {
    const [all] = await world.list('/dav/run-1/a.txt', '0');
    expect(await world.list('/dav/run-1/a.txt', '0', '<D:propfind xmlns:D="DAV:"><D:allprop/></D:propfind>')).toEqual([
      all,
    ]);
    const [names] = await world.list('/dav/run-1/a.txt', '0', '<propfind xmlns="DAV:"><propname/></propfind>');
    expect(Object.keys(names?.found ?? {})).toEqual(Object.keys(all?.found ?? {}));
    expect(Object.values(names?.found ?? {}).join('')).toBe('');
  });

  test.each([
    ['text that is no XML', 'no xml', 'not well-formed'],
    ['XML that does not end', '<propfind xmlns="DAV:"><prop>', 'not well-formed'],
    ['a namespace that is not declared', '<propfind xmlns="DAV:"><prop><x:y/></prop></propfind>', 'not well-formed'],
    ['an empty namespace', '<propfind xmlns="DAV:" xmlns:x=""><prop><x:y/></prop></propfind>', 'not well-formed'],
    ['elements deep in each other', `<propfind xmlns="DAV:">${'<a>'.repeat(5000)}`, 'not well-formed'],
    ['an entity of its own', '<propfind xmlns="DAV:"><prop><y>&a;</y></prop></propfind>', 'not well-formed'],
    ['another element', '<propertyupdate xmlns="DAV:"/>', 'must be a DAV: propfind'],
    ['no namespace', '<propfind><prop/></propfind>', 'must be a DAV: propfind'],
    ['two wishes', '<propfind xmlns="DAV:"><allprop/><propname/></propfind>', 'one of prop'],
    ['none', '<propfind xmlns="DAV:"/>', 'one of prop'],
    ['a DTD', '<!DOCTYPE propfind [<!ENTITY a "aaaa">]><propfind xmlns="DAV:"><allprop/></propfind>', 'document type'],
    ['many properties', prop(...Array.from({ length: 101 }, (_, i) => `<p${i}/>`)), '100 properties'],
    ['long names', prop(...Array.from({ length: 50 }, (_, i) => `<p${i}${'x'.repeat(100)}/>`)), '4096 characters'],
  ])('with %s is refused', async (_, body, words) => {
    const response = await world.dav('PROPFIND', '/dav/', { headers: { depth: '1' }, body });
    expect([response.status, await response.text()]).toEqual([400, expect.stringContaining(words)]);
  });

  test('may write its namespaces as it likes', async () => {
    const body = '<a:propfind xmlns:a="DAV:"><a:prop xmlns="urn:x"><y/><z xmlns=""/><a:getetag/></a:prop></a:propfind>';
    const [file] = await world.list('/dav/run-1/a.txt', '0', body);
    expect([Object.keys(file?.found ?? {}), file?.missing]).toEqual([['getetag'], ['{urn:x}y', '{}z']]);
  });

  test('longer than 16 KiB is refused', async () => {
    const body = prop(`<p xmlns="urn:${'x'.repeat(20_000)}"/>`);
    expect((await world.dav('PROPFIND', '/dav/', { headers: { depth: '1' }, body })).status).toBe(413);
  });

  test.each([
    [undefined, 403],
    ['infinity', 403],
    ['Infinity', 403],
    ['2', 400],
    ['1, 1', 400],
  ])('with Depth: %s gets %d', async (depth, status) => {
    const response = await world.dav('PROPFIND', '/dav/', { headers: depth === undefined ? {} : { depth } });
    expect(response.status).toBe(status);
    await response.body?.cancel();
  });
});

describe('files', () => {
  test('have ranges and conditions as everywhere', async () => {
    const part = await world.dav('GET', '/dav/run-1/raw/scan%201.csv', { headers: { range: 'bytes=4-6' } });
    expect([part.status, await part.text()]).toEqual([206, '1,2']);
    const etag = part.headers.get('etag') ?? '';
    const same = await world.dav('GET', '/dav/run-1/raw/scan%201.csv', { headers: { 'if-none-match': etag } });
    expect(same.status).toBe(304);
  });

  test('with a slash at the end of the address are found too', async () => {
    expect(await (await world.dav('GET', '/dav/run-1/a.txt/')).text()).toBe('first');
  });

  test.each([
    '/dav/run-1/b.txt',
    '/dav/run-1/raw/scan',
    '/dav/run-1/raw/deep/x',
    '/dav/run-1/a.txt/more',
    '/dav/nothing/',
    '/dav/run-1/..%2F..',
    '/dav/%00',
  ])('that are not there are not found: %s', async (address) => {
    for (const method of ['GET', 'PROPFIND']) {
      const response = await world.dav(method, address, { headers: { depth: '1' } });
      expect(response.status).toBe(404);
      await response.body?.cancel();
    }
  });

  test('a broken percent-encoding is refused', async () => {
    expect((await world.dav('GET', '/dav/run-1/%zz')).status).toBe(400);
  });
});

describe('methods', () => {
  test.each(['/dav', '/dav/', '/dav/run-1/', '/dav/run-1/a.txt'])('OPTIONS of %s needs no credential', async (path) => {
    const response = await fetch(world.url + path, { method: 'OPTIONS' });
    expect([response.status, response.headers.get('dav'), response.headers.get('allow')]).toEqual([
      200,
      '1',
      'GET, HEAD, OPTIONS, PROPFIND',
    ]);
  });

  test.each(['PUT', 'DELETE', 'MKCOL', 'COPY', 'MOVE', 'LOCK', 'UNLOCK', 'PROPPATCH', 'POST', 'PATCH'])(
    '%s is not allowed, and nothing changes',
    async (method) => {
      for (const path of ['/dav/run-1/a.txt', '/dav/new/', '/dav/']) {
        const response = await world.dav(method, path, { headers: { destination: `${world.url}/dav/run-1/b.txt` } });
        expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS, PROPFIND']);
        await response.body?.cancel();
      }
      expect(await hrefs('/dav/')).toEqual(['/dav/', '/dav/run-1/']);
    },
  );
});
