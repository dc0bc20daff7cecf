const maxHosts = 200;

/** The lines of a text without empty ones and duplicates, in lower case. */
export function linesOf(text: string): readonly string[] {
  return [...new Set(text.split('\n').map((line) => line.trim().toLowerCase()))].filter((line) => line !== '');
}

/** The first error that can be told while typing, or null; the service judges the rest. */
export function problemOfHosts(hosts: readonly string[]): string | null {
  if (hosts.length > maxHosts) return `There are ${hosts.length} entries; the maximum is ${maxHosts}.`;
  const address = hosts.find((host) => host.includes('://'));
  if (address !== undefined)
    return `“${address.slice(0, 40)}” is a whole address. Write its host only, such as sentry.lab.`;
  const wildcard = hosts.find((host) => host.includes('*'));
  return wildcard === undefined
    ? null
    : `“${wildcard.slice(0, 40)}” has an asterisk, but names are compared exactly. Write a network such as 10.1.0.0/16 for many hosts.`;
}
