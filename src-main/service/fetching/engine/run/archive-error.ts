/** The archive is damaged, or not what the manifest says. */
export class ArchiveError extends Error {
  readonly reason = 'bad-archive';
}
