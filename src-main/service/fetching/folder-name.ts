import { isMeasurementId, suggestedId, windowsTrouble } from '../files/names.ts';

/** Turns a measurement id, which the server chose, into a valid folder name. */
export function folderName(measurementId: string): string {
  const name = isMeasurementId(measurementId) ? measurementId : suggestedId(measurementId);
  return windowsTrouble(name) === null ? name : `measurement-${name.replace(/[. ]+$/, '')}`;
}
