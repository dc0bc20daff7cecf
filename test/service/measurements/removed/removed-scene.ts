import { readdir } from 'node:fs/promises';
import { beforeEach, expect } from 'vitest';
import type { RemovedMeasurement } from '../../../../src-main/service/contract/removed/removed-measurements.ts';
import { read } from '../../../../src-main/service/database/port/query.ts';
import { asWindow } from '../../as-window.ts';
import { useFreshWorld } from '../../use-service.ts';
import { makeFiles, startWithFolder } from '../registration/support.ts';

export const { signal } = new AbortController();
export const removedPath = '/api/v4/removed_measurements';

/** A new service for each test, and what it has removed. */
export function useRemoved() {
  const service = useFreshWorld(startWithFolder);

  beforeEach(async () => {
    await makeFiles(service.run, { 'a.txt': 'alpha', 'b.txt': 'bravo', 'sub/large.bin': Buffer.alloc(4_200_000, 7) });
  });

  async function objects(): Promise<number> {
    const found = await readdir(service.services.paths.library, { recursive: true, withFileTypes: true });
    return found.filter((entry) => entry.isFile()).length;
  }

  async function list(query = ''): Promise<readonly RemovedMeasurement[]> {
    return (await asWindow(service, 'GET', `${removedPath}${query}`)).body as readonly RemovedMeasurement[];
  }

  async function only(): Promise<RemovedMeasurement> {
    const [first, ...more] = await list();
    if (!first || more.length > 0) throw new Error(`${more.length} more are removed`);
    return first;
  }

  async function remove(id: string): Promise<void> {
    expect((await asWindow(service, 'DELETE', `/api/v4/measurements/${id}`)).status).toBe(204);
  }

  /** All rows of a measurement, but for the number in the order of all measurements. */
  async function rowsOf(id: string): Promise<unknown> {
    const { database } = service.services;
    const of = async (table: string, column: string, order: string) =>
      database.all(read<[string], object>(`SELECT * FROM ${table} WHERE ${column} = ? ORDER BY ${order}`), id);
    const [measurement] = (await of('measurements', 'id', 'id')) as { number?: unknown }[];
    delete measurement?.number;
    return {
      measurement,
      files: await of('measurement_files', 'measurement_id', 'idx'),
      blocks: await of('measurement_blocks', 'measurement_id', 'idx, page'),
      pieces: await of('measurement_pieces', 'measurement_id', 'idx, page'),
      grants: await of('grants', 'measurement_id', 'id'),
      leftOut: await of('measurement_left_out', 'measurement_id', 'total'),
      access: await of('measurement_access', 'measurement_id', 'reader'),
    };
  }

  return { service, rowsOf, remove, only, list, objects };
}
