import type { Answer, Content } from '../messages/content.ts';
import type { Question } from '../messages/messages.ts';
import type { ByteSource } from '../provider/byte-source.ts';

/** A file whose format is known. */
export interface OpenedFile {
  readonly content: Content;
  /** @throws PreviewError where the file does not have what is asked for. */
  answer(question: Question): Promise<Answer>;
}

/** The first bytes of a file (at most 64 KiB), and its name in lower case. */
export interface Beginning {
  readonly head: Uint8Array;
  readonly name: string;
}

/** A format: how it is recognised, and how a file of it is opened. */
export interface Reader {
  matches(beginning: Beginning): boolean;
  /** Begins what takes long while the first bytes are on their way. The name is in lower case. */
  prepare?(name: string): void;
  open(source: ByteSource, beginning: Beginning): Promise<OpenedFile>;
}

/** Content without anything but a name. */
export function plainContent(format: string, views: Content['views'], notes: readonly string[] = []): Content {
  return { format, views, notes, columns: [], picture: null, firstDataset: null };
}
