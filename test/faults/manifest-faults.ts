import type { Answer, Fault } from './exchange.ts';
import { manifestOf, type GeneratedMeasurement, type ManifestEntry } from './measurement.ts';
import { manifests } from './when.ts';

/**
 * Serves a modified manifest: the function gets the entries of the measurement and may change them.
 */
export function manifestWith(measurement: GeneratedMeasurement, change: (files: ManifestEntry[]) => void): Fault {
  return manifestText(() => {
    const manifest = manifestOf(measurement);
    change(manifest.files);
    return JSON.stringify(manifest);
  });
}

/** Serves this text as the manifest. */
export function manifestText(text: () => string): Fault {
  return (asked, answer) => {
    if (!manifests(asked) || answer.status !== 200) return answer;
    const body = Buffer.from(text());
    return {
      ...answer,
      headers: { ...answer.headers, 'content-length': String(body.length) },
      body: [body],
    } satisfies Answer;
  };
}

/** Paths that must never become files of these names on any system. */
export const hostilePaths: readonly string[] = [
  '../outside.txt',
  'a/../../outside.txt',
  '/etc/outside.txt',
  'C:\\outside.txt',
  '..\\outside.txt',
  '\\\\server\\share\\outside.txt',
  'a//b.txt',
  './a.txt',
  'a/./b.txt',
  'a/..',
  '..',
  '.',
  '',
  'nul\u0000byte.txt',
  'a\\b.txt',
  'aux.txt',
  'a/NUL',
  '.benchport-fetch/journal.db',
  'a.txt.benchport-part',
];
