import { describe, expect, it } from 'vitest';
import { openSample } from './open-sample.ts';
import { utf8 } from './memory-source.ts';
import { sampleFile, sampleMzml } from './sample-formats.ts';

describe('mzML', () => {
  it.each([0, 1, 7, 4321, 9999])('spectrum %d is found by little of the index', async (number) => {
    const file = await openSample(sampleMzml(10_000), 'peptides.mzML');
    expect(await file.ask('node', { kind: 'node', path: '/spectra' })).toMatchObject({ shape: [10_000, 1] });
    const before = file.source.bytesRead();
    const curve = await file.ask('curve', { kind: 'line', path: '/spectra', at: [number] });
    expect([[...curve.x], [...curve.low], curve.yName]).toEqual([
      [100 + number, 200 + number],
      [number, 2 * number],
      `Intensity, scan=${number + 1}`,
    ]);
    expect(file.source.bytesRead() - before).toBeLessThan(200 * 1024);
  });

  it('has chromatograms beside its spectra, as psims writes them', async () => {
    const file = await openSample(await sampleFile('psims.mzML'), 'peptides.mzML');
    expect(file.content.firstDataset).toBe('/spectra');
    const root = await file.ask('node', { kind: 'node', path: '/' });
    expect(root.children.map(({ name, summary }) => [name, summary])).toEqual([
      ['chromatograms', '2'],
      ['spectra', '5'],
    ]);
    expect(await file.ask('node', { kind: 'node', path: '/chromatograms' })).toMatchObject({ shape: [2, 1] });
    const line = async (path: string, at: number) => file.ask('curve', { kind: 'line', path, at: [at] });
    const total = await line('/chromatograms', 0);
    expect([total.xName, total.yName, [...total.low]]).toEqual(['Time (min)', 'Intensity, TIC', [5, 15, 25, 35, 45]]);
    expect((await line('/chromatograms', 1)).yName).toBe('Intensity, BPC');
    expect([...(await line('/spectra', 3)).low]).toEqual([30, 5]);
  });

  it.each([
    ['names a place without one', /(<offset idRef="TIC">)\d+/, '$1300', 'no chromatogram is'],
    ['has no end', /<\/chromatogram>/g, '', 'has no end'],
    ['has values that are no Base64', /<binary>e/g, '<binary>=', 'no Base64'],
    ['is packed by Numpress', /MS:1000574/g, 'MS:1002312', 'Numpress'],
  ])('a chromatogram that %s is refused in words', async (_, from, to, words) => {
    const text = Buffer.from(await sampleFile('psims.mzML'))
      .toString('latin1')
      .replace(from, to);
    const file = await openSample(utf8(text), 'peptides.mzML');
    const path = '/chromatograms';
    await expect(file.ask('curve', { kind: 'line', path, at: [0] })).rejects.toThrow(words);
  });

  it('without an index is refused', async () => {
    const text = Buffer.from(sampleMzml(5))
      .toString('latin1')
      .replace(/<indexListOffset>.*/, '');
    await expect(openSample(utf8(text), 'a.mzml')).rejects.toThrow('no index');
  });

  it.each([
    ['do not count along', (at: number) => `cycle=${at} experiment=1`],
    ['begin to count elsewhere', (at: number) => `scan=${at + (at > 3000 ? 500 : 1)}`],
    ['differ much in length', (at: number) => `${'x'.repeat(at < 2000 ? 280 : 0)}=${at}`],
  ])('spectra are found by identifiers that %s', async (_, idOf) => {
    const text = Buffer.from(sampleMzml(5000)).toString('latin1');
    const listAt = text.indexOf('<indexList');
    const entries = text.slice(listAt).replaceAll(/scan=(\d+)/g, (_all, scan) => idOf(Number(scan) - 1));
    const file = await openSample(utf8(text.slice(0, listAt) + entries), 'a.mzml');
    for (const at of [0, 1999, 2001, 3200, 4321, 4998, 4999]) {
      const before = file.source.bytesRead();
      const curve = await file.ask('curve', { kind: 'line', path: '/spectra', at: [at] });
      expect(curve.x[0]).toBe(100 + at);
      expect(file.source.bytesRead() - before).toBeLessThan(500 * 1024);
    }
  });

  it('a neighbour needs no look at the index', async () => {
    const file = await openSample(sampleMzml(5000), 'a.mzml');
    await file.ask('curve', { kind: 'line', path: '/spectra', at: [2500] });
    const before = file.source.bytesRead();
    await file.ask('curve', { kind: 'line', path: '/spectra', at: [2501] });
    expect(file.source.bytesRead() - before).toBeLessThan(70 * 1024);
  });

  it('spectra are found before a long list of chromatograms, and counted by the list of spectra', async () => {
    const entries = '<offset idRef="c">300</offset>'.repeat(20_000);
    const text = Buffer.from(sampleMzml(5000))
      .toString('latin1')
      .replace('</indexList>', `<index name="chromatogram">${entries}</index></indexList>`);
    const file = await openSample(utf8(text), 'a.mzml');
    expect(await file.ask('node', { kind: 'node', path: '/spectra' })).toMatchObject({ shape: [5000, 1] });
    for (const at of [0, 1234, 4999]) {
      const curve = await file.ask('curve', { kind: 'line', path: '/spectra', at: [at] });
      expect(curve.x[0]).toBe(100 + at);
    }
  });

  it.each([
    ['all of whose spectra have one number', (text: string) => text.replaceAll(/index="\d+"/g, 'index="4999"')],
    ['whose last spectrum has a wrong number', (text: string) => text.replace('index="4999"', 'index="999999999"')],
    ['whose numbers fall', (text: string) => text.replaceAll(/index="(\d+)"/g, (_, at) => `index="${4999 - at}"`)],
    ['whose places have no spectra', (text: string) => text.replaceAll(/(idRef="scan=\d{4}">)\d+/g, '$11')],
    ['that has no places', (text: string) => text.replaceAll(/<offset idRef="scan=\d{3,4}".*\n/g, ' '.repeat(60))],
  ])('an index %s is refused, or leads to some spectrum, after little of it was read', async (_, damage) => {
    const text = damage(Buffer.from(sampleMzml(5000)).toString('latin1'));
    const moved = text.replace(/(<indexListOffset>)\d+/, `$1${text.indexOf('<indexList')}`);
    const file = await openSample(utf8(moved), 'a.mzml');
    const before = file.source.bytesRead();
    await file.ask('curve', { kind: 'line', path: '/spectra', at: [3000] }).catch((error: unknown) => {
      expect(String(error)).toMatch(/damaged|where no spectrum is/);
    });
    expect(file.source.bytesRead() - before).toBeLessThan(2 * 1024 * 1024);
  });
});
