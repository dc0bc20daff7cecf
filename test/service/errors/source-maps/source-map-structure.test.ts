import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { structureProblem } from '../../../../src-main/service/errors/source-maps/source-map-structure.ts';
import { startIngestChild, type IngestChild } from '../ingest-child.ts';

const mebibyte = 1024 * 1024;
const problem = (text: string) => structureProblem(Buffer.from(text));

describe('M7: the structure of a source map', () => {
  it('may be that of a large program', () => {
    const names = Array.from({ length: 100_000 }, (_, at) => `name${at}`);
    const map = {
      version: 3,
      sources: names,
      sourcesContent: names.map(() => '[[[{{{,,,:::"\\"\\\\'),
      names,
      mappings: 'A,;'.repeat(1_000_000),
    };
    expect(problem(JSON.stringify(map))).toBeNull();
  });
  it.each([
    ['lists', `{"x":[${'[],'.repeat(200_001)}[]]}`, /too many parts/],
    ['members', `{${'"a":1,'.repeat(200_001)}"b":1}`, /too many parts/],
    ['values', `[${'1,'.repeat(4_000_001)}1]`, /too many parts/],
    ['depth', '['.repeat(65), /deep/],
  ])('may not have more %s than can be read', (_what, text, why) => {
    expect(problem(text)).toMatch(why);
  });
  it('ends strings as JSON does', () => {
    expect(problem(`{"a":"\\\\","b":[${'[],'.repeat(200_001)}[]]}`)).toMatch(/too many/);
    expect(problem(`{"a":"\\",${'[],'.repeat(200_001)}`)).toBeNull();
    expect(problem('"')).toBeNull();
  });
});

describe('a service that receives source maps of many parts', () => {
  let child: IngestChild;
  beforeAll(async () => {
    child = await startIngestChild();
  });
  afterAll(async () => child.end());

  it('M7: refuses them, with little more memory than they have themselves', async () => {
    const body = Buffer.from(`{"x":[${'[],'.repeat(20 * mebibyte)}[]]}`);
    const send = async () =>
      child.send('POST', '/api/v4/projects/5/error_tracking/source_maps?name=app.js', body, {
        'content-type': 'application/json',
        'private-token': child.token,
      });
    const before = await child.peakMemory();
    expect([await send(), ...(await Promise.all([send(), send()]))]).toEqual([400, 400, 400]);
    expect(await child.send('GET', '/-/health')).toBe(200);
    expect(child.ended()).toBeNull();
    // 1.8 GB without counting the parts first.
    if (before !== null) expect(Number(await child.peakMemory()) - before).toBeLessThan(700 * mebibyte);
  });
});
