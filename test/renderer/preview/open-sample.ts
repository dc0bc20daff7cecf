import { answer, content, type Answer } from '../../../src-renderer/preview/messages/content.ts';
import type { Question } from '../../../src-renderer/preview/messages/messages.ts';
import { openFile } from '../../../src-renderer/preview/readers/registry.ts';
import { memorySource } from './memory-source.ts';

/**
 * Opens a file in memory as the worker does, and checks answers as the page does.
 *
 * @param length of the file, of which only its beginning may be given.
 */
export async function openSample(bytes: Uint8Array, name: string, length = bytes.length) {
  const source = memorySource(bytes, length);
  const opened = await openFile(source, name);
  return {
    source,
    content: content(opened.content),
    ask: async <K extends Answer['kind']>(kind: K, question: Question) => {
      const got = answer(await opened.answer(question));
      if (got.kind !== kind) throw new Error(`answered ${got.kind}`);
      return got as Extract<Answer, { kind: K }>;
    },
  };
}
