import { hash } from 'node:crypto';
import type { MeasurementRow } from '../store/measurements-store.ts';

/** Before the keys of all measurements. */
export const objectPrefix = 'measurements/';

/**
 * The key of a measurement's archive. Its digest covers the id and every path, length, checksum and
 * time, so that an object belongs to one measurement and its bytes never change.
 */
export function objectKeyOf({ id, archive_tag: tag }: Pick<MeasurementRow, 'id' | 'archive_tag'>): string {
  const digest = hash('sha256', `object 1\n${id}\n${tag}`);
  return `${objectPrefix}${digest.slice(0, 2)}/${digest}.zip`;
}

/** The key of what says beside an archive that its measurement was removed. */
export function removedKeyOf(key: string): string {
  return key.replace(/\.zip$/, '.removed');
}

/** The key of the description beside an archive. */
export function descriptionKeyOf(key: string): string {
  return key.replace(/\.zip$/, '.json');
}
