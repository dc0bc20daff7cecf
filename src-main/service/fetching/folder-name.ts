import { windowsTrouble } from '../files/names.ts';
import { isMeasurementId, suggestedId } from '../../../src-shared/measurement-names.ts';

/** Turns a measurement id, which the server chose, into a valid folder name. */
export function folderName(measurementId: string): string {
  const name = isMeasurementId(measurementId) ? measurementId : suggestedId(measurementId);
  return windowsTrouble(name) === null ? name : `measurement-${name.replace(/[. ]+$/, '')}`;
}
