import { HttpProblem } from '../../common/problem.ts';

const newline = 10;

/**
 * The lines of a text in UTF-8, also the last one without an end, and none that is empty.
 *
 * @throws HttpProblem 400 for one that is longer than `maxBytes`.
 */
export async function* linesOf(chunks: AsyncIterable<Buffer>, maxBytes: number): AsyncGenerator<Buffer> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of chunks) {
    let bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    for (let at = bytes.indexOf(newline); at >= 0; at = bytes.indexOf(newline)) {
      if (at > 0) yield bytes.subarray(0, at);
      bytes = bytes.subarray(at + 1);
    }
    if (bytes.length > maxBytes) throw new HttpProblem(400, `A line has more than ${maxBytes} bytes.`);
    rest = bytes;
  }
  if (rest.length > 0) yield rest;
}
