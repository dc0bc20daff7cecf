import { isAppUrl } from '../page/app-url.ts';

/** The sender of a message, without Electron's types so that it can be tested without Electron. */
export interface Sender {
  /** The id of the sender's web contents. */
  readonly contentsId: number;
  /** Null if the frame is already gone. */
  readonly frame: { readonly url: string; readonly isMain: boolean } | null;
}

/**
 * True only for the main frame of one of the application's own windows while it shows one of its
 * own pages.
 */
export function isTrustedSender(sender: Sender, ownContents: ReadonlySet<number>): boolean {
  return (
    sender.frame !== null && sender.frame.isMain && ownContents.has(sender.contentsId) && isAppUrl(sender.frame.url)
  );
}
