/** How a bucket of an S3-compatible storage is reached. */
export interface S3Settings {
  /** Without a path. */
  readonly endpoint: URL;
  readonly region: string;
  readonly bucket: string;
  /** Before all keys; empty, or ending with a slash. */
  readonly prefix: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Whether the bucket is the first part of the path, instead of a part of the host. */
  readonly pathStyle: boolean;
  /** PEM of the only trusted authorities; null for those of the system. */
  readonly ca: string | null;
  /** How long objects of removed measurements are kept. */
  readonly graceMs: number;
}

export const defaultS3GraceMs = 7 * 24 * 60 * 60 * 1000;

const bucketName = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;
const prefixPath = /^(?:[A-Za-z0-9_-][A-Za-z0-9._-]*\/)*$/;

/** Whether it is a name of a bucket (general purpose bucket naming rules of Amazon S3). */
export function isBucketName(text: string): boolean {
  return bucketName.test(text) && !text.includes('..');
}

/**
 * Adds the slash at the end of a prefix.
 *
 * @returns null for one with other characters than letters, digits, dots, hyphens and underscores.
 */
export function normalizedPrefix(text: string): string | null {
  const prefix = text === '' || text.endsWith('/') ? text : `${text}/`;
  return prefixPath.test(prefix) ? prefix : null;
}
