import { splitFinding } from './warnings.ts';

/**
 * A finding `NAME: REASON` with its name in the style of file names; a line without a name is shown
 * unchanged.
 */
export function FindingLine({ line }: { readonly line: string }) {
  const { name, reason } = splitFinding(line);
  return (
    <>
      {name === null ? null : (
        <>
          <span className="mono">{name}</span>:{' '}
        </>
      )}
      {reason}
    </>
  );
}
