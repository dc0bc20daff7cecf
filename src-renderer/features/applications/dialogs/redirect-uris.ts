import { redirectUriFault } from '../../../../src-main/service/contract/redirect-uri-fault.ts';

const maxRedirectUris = 50;

/** The redirect URIs of a field with one per line. */
export function redirectUrisOf(text: string): readonly string[] {
  return [...new Set(text.split('\n').flatMap((line) => (line.trim() === '' ? [] : [line.trim()])))];
}

/**
 * Errors in a text of redirect URIs, and doubts that only this installation's settings can decide.
 */
export interface RedirectUriReport {
  readonly faults: readonly string[];
  readonly doubts: readonly string[];
}

/**
 * Checks every line. Plain http beyond the loopback is a doubt: an administrator may have allowed
 * it for development.
 */
export function reportRedirectUris(text: string): RedirectUriReport {
  const faults: string[] = [];
  const doubts: string[] = [];
  const seen = new Map<string, number>();
  for (const [index, line] of text.split('\n').entries()) {
    const uri = line.trim();
    if (uri === '') continue;
    const earlier = seen.get(uri);
    seen.set(uri, earlier ?? index + 1);
    const fault = redirectUriFault(uri, true);
    const doubt = fault === null ? redirectUriFault(uri, false) : null;
    if (earlier !== undefined) faults.push(`Line ${index + 1} is the same as line ${earlier}.`);
    else if (fault !== null) faults.push(`Line ${index + 1}: ${fault}`);
    else if (doubt !== null)
      doubts.push(`Line ${index + 1}: ${doubt} It is refused unless an administrator has allowed it for development.`);
  }
  if (seen.size > maxRedirectUris) faults.push(`At most ${maxRedirectUris} redirect URIs; these are ${seen.size}.`);
  return { faults, doubts };
}
