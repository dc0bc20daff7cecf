/**
 * A location that nginx serves only on our behalf: its address there, and the folder that nginx
 * reads.
 */
export interface InternalLocation {
  /** With a slash at both ends. */
  readonly prefix: string;
  /** Absolute, with a slash at its end. */
  readonly folder: string;
}
