import type { BytesPart } from '../messages/content.ts';
import type { ByteSource } from '../provider/byte-source.ts';
import { malformed } from '../provider/preview-error.ts';
import { magicName } from './common/magic.ts';
import { plainContent, type OpenedFile, type Reader } from './reader.ts';

const partBytes = 4096;

/** Bytes from a place in the file. */
export async function readBytes(source: ByteSource, offset: number): Promise<BytesPart> {
  return { kind: 'bytes', offset, bytes: await source.read(offset, partBytes) };
}

/** Any file, as bytes; says what its beginning stands for. */
export const bytesReader: Reader = {
  matches: () => true,
  async open(source, { head }): Promise<OpenedFile> {
    const name = magicName(head);
    const note =
      source.length === 0
        ? 'The file is empty.'
        : name === null
          ? 'Its first bytes are not those of a format that is known here.'
          : `Its first bytes are those of ${name}, which is not shown otherwise.`;
    return {
      content: plainContent('Bytes', ['bytes'], [note]),
      async answer(question) {
        if (question.kind !== 'bytes') throw malformed('Bytes have no such part.');
        return readBytes(source, question.offset);
      },
    };
  },
};
