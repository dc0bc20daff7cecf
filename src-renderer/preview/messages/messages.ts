import { byKind, count, finite, flag, list, literal, orNull, record, text, type Checked } from './check.ts';
import { answer, content } from './content.ts';

/** A page by its place on each axis, and the sample of it that is drawn; null for its colours. */
interface Drawn {
  readonly at: readonly number[];
  readonly sample: number | null;
}

/** A question about an open file; each answer names what it answers. */
export const question = byKind<
  | { readonly kind: 'text'; readonly offset: number; readonly encoding: string | null }
  | { readonly kind: 'bytes'; readonly offset: number }
  | { readonly kind: 'rows'; readonly offset: number }
  | { readonly kind: 'curve'; readonly x: number | null; readonly y: number }
  | { readonly kind: 'picture' }
  | { readonly kind: 'drawing' }
  | { readonly kind: 'node'; readonly path: string }
  | { readonly kind: 'line'; readonly path: string; readonly at: readonly number[] }
  | { readonly kind: 'plane'; readonly path: string; readonly at: readonly number[] }
  | { readonly kind: 'layout'; readonly at: readonly number[] }
  | ({ readonly kind: 'coarse' } & Drawn)
  | ({ readonly kind: 'tile'; readonly level: number; readonly column: number; readonly row: number } & Drawn)
>({
  text: record({ kind: literal('text'), offset: count, encoding: orNull(text) }),
  bytes: record({ kind: literal('bytes'), offset: count }),
  rows: record({ kind: literal('rows'), offset: count }),
  curve: record({ kind: literal('curve'), x: orNull(count), y: count }),
  picture: record({ kind: literal('picture') }),
  drawing: record({ kind: literal('drawing') }),
  node: record({ kind: literal('node'), path: text }),
  line: record({ kind: literal('line'), path: text, at: list(count, 64) }),
  plane: record({ kind: literal('plane'), path: text, at: list(count, 64) }),
  layout: record({ kind: literal('layout'), at: list(count, 4) }),
  coarse: record({ kind: literal('coarse'), at: list(count, 4), sample: orNull(count) }),
  tile: record({
    kind: literal('tile'),
    at: list(count, 4),
    sample: orNull(count),
    level: count,
    column: count,
    row: count,
  }),
});
export type Question = Checked<typeof question>;

/** How much of a file is read: for a preview that somebody looks at, or for a small picture of many. */
const purpose = literal('preview', 'thumbnail');
export type Purpose = Checked<typeof purpose>;

/** Page to worker. The first message opens the file, the others ask about it. */
export const request = byKind<
  | {
      readonly kind: 'open';
      /** Address of the file's bytes, on the own origin. */
      readonly url: string;
      readonly name: string;
      readonly length: number;
      /** Whether the format is ignored and only bytes are shown. */
      readonly onlyBytes: boolean;
      readonly purpose: Purpose;
    }
  | { readonly kind: 'ask'; readonly id: number; readonly question: Question }
>({
  open: record({ kind: literal('open'), url: text, name: text, length: count, onlyBytes: flag, purpose }),
  ask: record({ kind: literal('ask'), id: count, question }),
});
export type PreviewRequest = Checked<typeof request>;

const failure = record<{
  /**
   * `malformed`: the file is not what it says; `limit`: more than a preview reads; `changed`: the
   * measurement is another one now; `refused`: the service said no; `network`: it did not answer;
   * `broken`: the reader stopped.
   */
  readonly reason: 'malformed' | 'limit' | 'changed' | 'refused' | 'network' | 'broken';
  readonly detail: string;
}>({ reason: literal('malformed', 'limit', 'changed', 'refused', 'network', 'broken'), detail: text });
export type Failure = Checked<typeof failure>;

/** Worker to page. */
export const report = byKind<
  | {
      readonly kind: 'progress';
      readonly bytesRead: number;
      readonly requests: number;
      /** Whether the worker waits for bytes. */
      readonly isWaiting: boolean;
    }
  | { readonly kind: 'opened'; readonly content: Checked<typeof content> }
  | { readonly kind: 'answer'; readonly id: number; readonly answer: Checked<typeof answer> }
  | { readonly kind: 'failed'; readonly id: number | null; readonly failure: Failure }
>({
  progress: record({ kind: literal('progress'), bytesRead: finite, requests: count, isWaiting: flag }),
  opened: record({ kind: literal('opened'), content }),
  answer: record({ kind: literal('answer'), id: count, answer }),
  failed: record({ kind: literal('failed'), id: orNull(count), failure }),
});
export type PreviewReport = Checked<typeof report>;
