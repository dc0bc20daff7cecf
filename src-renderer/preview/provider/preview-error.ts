import type { Failure } from '../messages/messages.ts';

/** Why a file cannot be shown; the text is a sentence for the screen. */
export class PreviewError extends Error {
  override readonly name = 'PreviewError';
  readonly reason: Failure['reason'];

  constructor(reason: Failure['reason'], detail: string) {
    super(detail);
    this.reason = reason;
  }
}

/** The file is not what its name or its beginning says. */
export function malformed(detail: string): PreviewError {
  return new PreviewError('malformed', detail);
}
