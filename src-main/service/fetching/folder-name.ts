import { isMeasurementId, suggestedId, windowsTrouble } from '../files/names.ts';

/** Ids are what a server gives: not each of them can be the name of a folder. */
export function folderName(measurementId: string): string {
  const name = isMeasurementId(measurementId) ? measurementId : suggestedId(measurementId);
  return windowsTrouble(name) === null ? name : `measurement-${name.replace(/[. ]+$/, '')}`;
}
