const separator = ': ';
/** Fewer are listed individually. */
const minShared = 4;

export interface SharedWarning {
  readonly reason: string;
  readonly names: readonly string[];
}

/** Groups warnings of the form `NAME: REASON` by reason where many names share one. */
export function byReason(lines: readonly string[]): {
  readonly single: readonly string[];
  readonly shared: readonly SharedWarning[];
} {
  const namesOf = new Map<string, string[]>();
  const reasonOf = (line: string): string => line.slice(line.lastIndexOf(separator) + separator.length);
  for (const line of lines) {
    const reason = reasonOf(line);
    namesOf.set(reason, [...(namesOf.get(reason) ?? []), line.slice(0, -(separator.length + reason.length))]);
  }
  const shared = [...namesOf]
    .filter(([, names]) => names.length >= minShared)
    .map(([reason, names]) => ({ reason, names }));
  return { single: lines.filter((line) => !shared.some(({ reason }) => reason === reasonOf(line))), shared };
}

/**
 * A finding `NAME: REASON` in its parts; the name is null in a line without one, such as `and 7
 * more`.
 */
export function splitFinding(line: string): { readonly name: string | null; readonly reason: string } {
  const at = line.lastIndexOf(separator);
  return at < 0 ? { name: null, reason: line } : { name: line.slice(0, at), reason: line.slice(at + separator.length) };
}
