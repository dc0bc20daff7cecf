import type { Findings } from '../../../files/inspect-findings.ts';
import type { ExpectedArchive } from './expected-file.ts';

/** An upload, by its folder. */
export interface ReceiveTarget extends ExpectedArchive {
  readonly folder: string;
}

export interface Received {
  /** Number of bytes of the archive that are there. */
  readonly offset: number;
  /** Why the upload is refused: its bytes are not those of its manifest. */
  readonly damaged: string | null;
}

/** The methods of the thread that receives files. Those for one upload run one after the other. */
export interface ReceiveMethods {
  open(target: ReceiveTarget): Received;
  write(folder: string, bytes: Uint8Array): Received;
  /** Syncs what came, and closes the files. */
  settle(folder: string): Received;
  /** The bytes that are there, whoever received them. */
  locate(folder: string): Received;
  /** Why names of a stored manifest cannot be those of a measurement. */
  checkNames(folder: string): Findings;
}
