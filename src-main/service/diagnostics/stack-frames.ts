export interface LoggedFrame {
  readonly function: string;
  readonly filename: string;
  readonly lineno: number;
  readonly colno: number;
  readonly in_app: boolean;
}

const maxFrames = 50;
// V8: "at name (place:line:column)" or "at place:line:column"; others, such as Firefox:
// "name@place:line:column".
const v8 = /^\s*at (?:(?:async )?(.*?) \()?(?:async )?(.+?):(\d+):(\d+)\)?$/;
const gecko = /^(.*?)@(.+?):(\d+):(\d+)$/;

/**
 * Parses the frames of a stack, the one that failed last, as SDKs send them. Paths are reduced to
 * the part within the program.
 */
export function stackFrames(stack: string): readonly LoggedFrame[] {
  const frames: LoggedFrame[] = [];
  for (const line of stack.split('\n')) {
    const match = v8.exec(line) ?? gecko.exec(line);
    if (!match) continue;
    const [, name = '', place = '', lineno, colno] = match;
    const filename = withinProgram(place);
    frames.push({
      function: name === '' ? '<anonymous>' : name,
      filename,
      lineno: Number(lineno),
      colno: Number(colno),
      in_app: !filename.startsWith('node:') && !filename.includes('node_modules/'),
    });
    if (frames.length === maxFrames) break;
  }
  return frames.toReversed();
}

/** The program's location is private and differs between machines. */
function withinProgram(place: string): string {
  if (place.startsWith('node:')) return place;
  const path =
    place
      .replace(/^[a-z]+:\/\/[^/]*/, '')
      .replaceAll('\\', '/')
      .split('?', 1)[0] ?? '';
  const known = /(?:^|\/)((?:node_modules|src-main|src-renderer|src-shared|src-preload|assets|out)\/.*)$/.exec(path);
  return known?.[1] ?? path.slice(path.lastIndexOf('/') + 1);
}
