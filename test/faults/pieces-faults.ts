import { hash } from 'node:crypto';
import { bareAnswer, type Answer, type Asked, type Fault } from './exchange.ts';
import { bytesOf } from './content.ts';
import type { GeneratedMeasurement } from './measurement.ts';

const address = /\/files\/(\d+)\/pieces$/;

export const piecesAsked = (asked: Asked): boolean => address.test(asked.url);

/** The hashes of a file's pieces, as a good server has them. */
function pieceHashes(measurement: GeneratedMeasurement, index: number, pieceLength: number): readonly string[] {
  const { seed = 0, length = 0 } = measurement.files[index] ?? {};
  return Array.from({ length: Math.ceil(length / pieceLength) }, (_, at) =>
    hash('sha256', bytesOf(seed, at * pieceLength, Math.min(length, (at + 1) * pieceLength))),
  );
}

/** The server has hashes of pieces. @param damage changes what it tells. */
export function withPieces(
  measurement: GeneratedMeasurement,
  pieceLength: number,
  damage: (list: { pieceLength: number; sha256: readonly string[] }) => unknown = (list) => list,
): Fault {
  return (asked, answer): Answer => {
    const index = Number(address.exec(asked.url)?.[1] ?? -1);
    if (index < 0) return answer;
    const list = { pieceLength, sha256: pieceHashes(measurement, index, pieceLength) };
    return bareAnswer(200, { 'content-type': 'application/json' }, JSON.stringify(damage(list)));
  };
}
