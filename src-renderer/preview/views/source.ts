import { useInfiniteQuery, useQuery, keepPreviousData, type UseQueryResult } from '@tanstack/react-query';
import type { Answer, Content, TextPart } from '../messages/content.ts';
import type { Question } from '../messages/messages.ts';

/** An open file, as the views see it. */
export interface ViewSource {
  /** Differs between all files that were opened. */
  readonly key: string;
  readonly content: Content;
  /** Bytes. */
  readonly length: number;
  readonly ask: (question: Question) => Promise<Answer>;
}

export interface ViewProps {
  readonly source: ViewSource;
}

// The worker keeps what it read; nothing of it changes while it is open.
const options = { staleTime: Number.POSITIVE_INFINITY, gcTime: 0, retry: false, networkMode: 'always' } as const;

/** The answer to a question; the one before it stays until it has come. Null asks nothing. */
export function useAnswer<K extends Answer['kind']>(
  source: ViewSource,
  kind: K,
  question: Question | null,
): UseQueryResult<Extract<Answer, { kind: K }>> {
  return useQuery({
    queryKey: ['preview', source.key, question],
    queryFn: async () => ofKind(await source.ask(question ?? { kind: 'bytes', offset: 0 }), kind),
    enabled: question !== null,
    placeholderData: keepPreviousData,
    structuralSharing: false,
    ...options,
  });
}

/** The parts of a text, of which each next one is asked for when it is wanted. */
export function useTextParts(source: ViewSource) {
  return useInfiniteQuery({
    queryKey: ['preview', source.key, 'text parts'],
    queryFn: async ({ pageParam }): Promise<TextPart> =>
      ofKind(await source.ask({ kind: 'text', offset: pageParam, encoding: null }), 'text'),
    initialPageParam: 0,
    getNextPageParam: (last) => last.next,
    structuralSharing: false,
    ...options,
  });
}

function ofKind<K extends Answer['kind']>(answer: Answer, kind: K): Extract<Answer, { kind: K }> {
  if (answer.kind !== kind) throw new Error('Reading the file led to nonsense.');
  return answer as Extract<Answer, { kind: K }>;
}
