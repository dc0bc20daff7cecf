/** The archive is damaged or does not match the manifest. */
export class ArchiveError extends Error {
  readonly reason = 'bad-archive';
}
