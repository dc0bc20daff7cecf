import { isAppUrl } from '../page/app-url.ts';

/** What is known of the sender of a message, without Electron's types so that it can be tested plainly. */
export interface Sender {
  /** The id of the page's contents. */
  readonly contentsId: number;
  /** Null when the frame has gone already. */
  readonly frame: { readonly url: string; readonly isMain: boolean } | null;
}

/** True only for the main frame of one of our own windows while it shows one of our own pages. */
export function isTrustedSender(sender: Sender, ownContents: ReadonlySet<number>): boolean {
  return (
    sender.frame !== null && sender.frame.isMain && ownContents.has(sender.contentsId) && isAppUrl(sender.frame.url)
  );
}
