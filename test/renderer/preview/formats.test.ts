import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { Answer } from '../../../src-renderer/preview/messages/content.ts';
import { unpackByRange } from '../../../src-renderer/preview/readers/common/unpack-by-range.ts';
import { ordinatesOf } from '../../../src-renderer/preview/readers/jcamp/ordinates.ts';
import { openSample } from './open-sample.ts';
import { memorySource, utf8 } from './memory-source.ts';
import { sampleFcs, sampleFile, sampleJcamp, sampleNifti, sampleNotebook, sampleZip } from './sample-formats.ts';

describe('ZIP', () => {
  it('lists the members that Python packed', async () => {
    const file = await openSample(await sampleZip(), 'run.zip');
    expect(file.content).toMatchObject({ format: 'ZIP archive', views: ['table', 'bytes'], notes: [] });
    const { rows, next, firstRow } = await file.ask('rows', { kind: 'rows', offset: 0 });
    expect([rows.length, next, firstRow]).toEqual([30, null, 1]);
    expect(rows[7]).toEqual(['raw/größe 007.txt', '42', expect.stringMatching(/^\d\d?$/), '2026-01-31 10:20']);
    expect(Number(rows[7]?.[2])).toBeLessThan(42);
  });

  it('parts together are the whole list', async () => {
    const file = await openSample(await sampleZip(2500), 'run.zip');
    const names: string[] = [];
    for (let offset: number | null = 0; offset !== null;) {
      const part: Extract<Answer, { kind: 'rows' }> = await file.ask('rows', { kind: 'rows', offset });
      expect(part.firstRow).toBe(names.length + 1);
      names.push(...part.rows.map(([name = '']) => name));
      offset = part.next;
    }
    expect(names).toEqual(Array.from({ length: 2500 }, (_, at) => `raw/größe ${String(at).padStart(3, '0')}.txt`));
  });

  it('one that was cut off says so', async () => {
    const bytes = await sampleZip();
    await expect(openSample(bytes.slice(0, bytes.length - 40), 'run.zip')).rejects.toThrow('no list at its end');
  });
});

describe('JCAMP-DX', () => {
  it.each([
    ['plain', '400 20 22 26 26 18'],
    ['packed', '400+20+22+26+26+18'],
    ['squeezed', '400 B0B2B6B6A8'],
    ['differences', '400B0KM%q'.replace('KM%q', 'KM%q')],
    ['repeats', '400 B0B2B6TA8'],
    ['on two lines with a check', '400B0KM\n402B6%q'],
  ])('values in the form %s', async (_, rows) => {
    const file = await openSample(utf8(sampleJcamp(rows)), 'ethanol.jdx');
    expect(file.content).toMatchObject({ format: 'JCAMP-DX spectrum', views: ['plot', 'text', 'bytes'] });
    const curve = await file.ask('curve', { kind: 'curve', x: 0, y: 1 });
    expect([[...curve.x], [...curve.low]]).toEqual([
      [400, 401, 402, 403, 404],
      [10, 11, 13, 13, 9],
    ]);
  });

  it('exponents are no squeezed digits', () => {
    expect(ordinatesOf(['1 1.5E2 -2e-1 3'], 10)).toEqual([150, -0.2, 3]);
  });

  it('a repeat of any length ends at the limit', () => {
    expect(ordinatesOf(['1A0s99999999'], 1000)).toHaveLength(1000);
  });
});

describe('NIfTI', () => {
  it('slices are drawn, the slowest dimension first', async () => {
    const file = await openSample(sampleNifti(), 'head.nii');
    expect(await file.ask('node', { kind: 'node', path: '/image' })).toMatchObject({
      shape: [2, 3, 4, 5],
      picture: 'plane',
    });
    const plane = await file.ask('plane', { kind: 'plane', path: '/image', at: [1, 2] });
    expect([plane.width, plane.height, plane.values[0]]).toEqual([5, 4, 2 * (60 + 40) + 1]);
  });
});

const gzip = { format: 'gzip', from: 0 } as const;

describe('packed NIfTI', () => {
  it('nibabel wrote is drawn like a plain one', async () => {
    const file = await openSample(await sampleFile('nibabel.nii.gz'), 'head.nii.gz');
    expect(file.content.format).toBe('NIfTI image, packed with gzip');
    expect(await file.ask('node', { kind: 'node', path: '/image' })).toMatchObject({ shape: [5, 24, 32] });
    for (const at of [4, 0, 2]) {
      const plane = await file.ask('plane', { kind: 'plane', path: '/image', at: [at] });
      expect([plane.width, plane.height, plane.values[0], plane.values[33]]).toEqual([
        32,
        24,
        at * 1000,
        at * 1000 + 33,
      ]);
    }
  });

  it.each([
    ['is cut off', (bytes: Uint8Array) => bytes.subarray(0, 60), /damaged|ends before/],
    [
      'is no gzip behind its first bytes',
      (bytes: Uint8Array) => bytes.map((byte, at) => (at < 12 ? byte : 0xff)),
      'damaged',
    ],
    ['holds something else', () => new Uint8Array(gzipSync('not an image')), 'no NIfTI-1 image'],
  ])('one that %s is refused in words', async (_, damage, words) => {
    const bytes = damage(new Uint8Array(gzipSync(sampleNifti())));
    const attempt = async () =>
      (await openSample(bytes, 'a.nii.gz')).ask('plane', { kind: 'plane', path: '/image', at: [1, 2] });
    await expect(attempt()).rejects.toThrow(words);
  });

  it('a bomb is unpacked up to the limit, and goes on from its beginning', async () => {
    const bomb = memorySource(new Uint8Array(gzipSync(Buffer.alloc(8 * 1024 * 1024))));
    const unpacked = unpackByRange(bomb, gzip, {
      maxUnpackedBytes: 1024 * 1024,
      maxUnpackMs: 60_000,
      maxKeptBytes: 128 * 1024,
    });
    await expect(unpacked.read(7 * 1024 * 1024, 10)).rejects.toThrow('further into the packed file');
    expect(await unpacked.read(200 * 1024, 3)).toEqual(new Uint8Array(3));
    const slow = unpackByRange(bomb, gzip, { maxUnpackedBytes: 2 ** 40, maxUnpackMs: -1, maxKeptBytes: 0 });
    await expect(slow.read(7 * 1024 * 1024, 10)).rejects.toThrow('further into the packed file');
  });

  it('reads at once and in any order get their own bytes', async () => {
    const plain = Uint8Array.from({ length: 300_000 }, (_, at) => (at * 7919) % 251);
    const unpacked = unpackByRange(memorySource(new Uint8Array(gzipSync(plain))), gzip, {
      maxUnpackedBytes: 2 ** 30,
      maxUnpackMs: 60_000,
      maxKeptBytes: 70_000,
    });
    const places = [250_000, 10, 69_990, 120_000, 299_990, 0];
    const read = await Promise.all(places.map(async (at) => unpacked.read(at, 20)));
    expect(read).toEqual(places.map((at) => plain.slice(at, at + 20)));
    expect(await unpacked.read(400_000, 5)).toHaveLength(0);
  });
});

describe('FCS', () => {
  it('has its keywords', async () => {
    const file = await openSample(sampleFcs(), 'cells.fcs');
    const root = await file.ask('node', { kind: 'node', path: '/' });
    expect(root.facts).toEqual([
      { name: 'Events', value: '1000' },
      { name: 'Parameters', value: '2' },
      { name: 'Cytometer', value: 'Aria/II' },
    ]);
    expect(root.attributes).toContainEqual({ name: '$P2N', value: 'SSC-A' });
  });
});

describe('notebooks', () => {
  it('are cells and what they printed', async () => {
    const file = await openSample(utf8(sampleNotebook()), 'fit.ipynb');
    const { text } = await file.ask('text', { kind: 'text', offset: 0, encoding: null });
    expect(text).toBe(
      '--- Text ---\n# Fit\nof the peak\n\n--- Code 3 ---\nprint(2)\n--- Output ---\n2\n\n--- Output ---\nFigure\n[image/png]',
    );
  });

  it('that are no notebooks are refused', async () => {
    await expect(openSample(utf8('{"cells": 1}'), 'fit.ipynb')).rejects.toThrow('no JSON with a list of cells');
  });
});
