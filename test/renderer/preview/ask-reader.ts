import type { Answer } from '../../../src-renderer/preview/messages/content.ts';
import { answer } from '../../../src-renderer/preview/messages/content.ts';
import type { Question } from '../../../src-renderer/preview/messages/messages.ts';
import { openFile } from '../../../src-renderer/preview/readers/registry.ts';
import { memorySource } from './memory-source.ts';

export async function ask<K extends Answer['kind']>(bytes: Uint8Array, name: string, kind: K, question: Question) {
  const opened = await openFile(memorySource(bytes), name);
  const got = await opened.answer(question);
  if (got.kind !== kind) throw new Error(`answered ${got.kind}`);
  // The page checks each answer of a reader in the same way.
  return answer(got) as Extract<Answer, { kind: K }>;
}
