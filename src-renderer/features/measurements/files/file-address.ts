import type { MeasurementDetail } from '../../../api/requests/types.ts';

/** Absolute URL of one file. */
export function fileUrl(measurement: Pick<MeasurementDetail, 'download_url'>, index: number): string {
  return `${measurement.download_url.replace(/\/$/, '')}/files/${index}`;
}

/** The last part of a path of the manifest. */
export function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
