let sent = 0;

/** An event of an error of its own, with `changes` put over it. */
export function sentEvent(changes: Readonly<Record<string, unknown>> = {}) {
  sent += 1;
  return {
    event_id: sent.toString(16).padStart(32, '0'),
    // Numbers are left out of what groups are made of, lengths are not.
    message: `message of test ${'x'.repeat(sent)}`,
    timestamp: Date.now() / 1000,
    ...changes,
  };
}

/** The text of an envelope: its header, then pairs of an item's header and payload. Texts are taken as they are. */
export function envelopeOf(header: unknown, ...items: readonly (readonly [unknown, unknown])[]): string {
  return [header, ...items.flat()].map((part) => (typeof part === 'string' ? part : JSON.stringify(part))).join('\n');
}
