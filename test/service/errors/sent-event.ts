let sent = 0;

/** An event of a unique error, with `changes` applied. */
export function sentEvent(changes: Readonly<Record<string, unknown>> = {}) {
  sent += 1;
  return {
    event_id: sent.toString(16).padStart(32, '0'),
    // Grouping ignores numbers but not lengths.
    message: `message of test ${'x'.repeat(sent)}`,
    timestamp: Date.now() / 1000,
    ...changes,
  };
}

/**
 * The text of an envelope: its header, then pairs of an item's header and payload; strings are not
 * encoded.
 */
export function envelopeOf(header: unknown, ...items: readonly (readonly [unknown, unknown])[]): string {
  return [header, ...items.flat()].map((part) => (typeof part === 'string' ? part : JSON.stringify(part))).join('\n');
}
