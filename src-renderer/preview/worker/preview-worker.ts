/** Worker of one open preview: reads the file by ranges and parses it, away from the page. */
import type { Answer } from '../messages/content.ts';
import { request, type Failure, type PreviewReport, type PreviewRequest } from '../messages/messages.ts';
import { createHttpRanges } from '../provider/http-ranges.ts';
import { malformed, PreviewError } from '../provider/preview-error.ts';
import { createRangeSource, rangeLimits } from '../provider/range-source.ts';
import type { OpenedFile } from '../readers/reader.ts';
import { openFile } from '../readers/registry.ts';
import { limitWebAssemblyMemory } from './memory-limit.ts';

const scope = globalThis as unknown as {
  addEventListener: (type: 'message', listener: (event: MessageEvent<unknown>) => void) => void;
  postMessage: (message: PreviewReport, transfer: Transferable[]) => void;
};

/** Most bytes of memory of a parser in WebAssembly. */
const maxWebAssemblyBytes = 256 * 1024 * 1024;

let opened: Promise<OpenedFile> | null = null;

limitWebAssemblyMemory(maxWebAssemblyBytes);
scope.addEventListener('message', ({ data }) => void handle(request(data)));

async function handle(message: PreviewRequest): Promise<void> {
  const id = message.kind === 'ask' ? message.id : null;
  try {
    if (message.kind === 'open') {
      opened ??= open(message);
      send({ kind: 'opened', content: (await opened).content });
      return;
    }
    if (opened === null) throw malformed('No file is open.');
    const answer = await (await opened).answer(message.question);
    send({ kind: 'answer', id: message.id, answer }, transferOf(answer));
  } catch (error) {
    send({ kind: 'failed', id, failure: failureOf(error) });
  }
}

async function open(message: Extract<PreviewRequest, { kind: 'open' }>): Promise<OpenedFile> {
  const source = createRangeSource({
    ...createHttpRanges(message.url, message.length),
    length: message.length,
    limits: rangeLimits[message.purpose],
    onRead: (counts) => send({ kind: 'progress', ...counts }),
  });
  return openFile(source, message.name, message.onlyBytes);
}

function send(message: PreviewReport, transfer: Transferable[] = []): void {
  scope.postMessage(message, transfer);
}

/** Buffers that are transferred to the page instead of copied. */
function transferOf(answer: Answer): Transferable[] {
  switch (answer.kind) {
    case 'curve':
      return [answer.x.buffer, answer.low.buffer, answer.high.buffer];
    case 'plane':
    case 'raster':
      return [answer.values.buffer];
    case 'picture':
      return [answer.bitmap];
    case 'bytes':
    case 'drawing':
    case 'layout':
    case 'node':
    case 'rows':
    case 'text':
      return [];
  }
}

function failureOf(error: unknown): Failure {
  if (error instanceof PreviewError) return { reason: error.reason, detail: error.message };
  if (error instanceof RangeError)
    return { reason: 'limit', detail: 'The file needs more memory than a preview may use.' };
  return {
    reason: 'broken',
    detail: error instanceof Error ? error.message.slice(0, 300) : 'It stopped without a reason.',
  };
}
