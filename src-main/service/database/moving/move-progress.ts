export interface MoveProgress {
  readonly step: 'looking' | 'copying' | 'comparing';
  readonly bytesDone: number;
  readonly bytesTotal: number;
}

/** Receives progress after each page of rows. */
export type ReportMove = (progress: MoveProgress) => void;
