import { closeSync, fstatSync, openSync } from 'node:fs';
import { acceptsGzip } from '../../http/semantics/accepts-gzip.ts';
import { endWithRawHead, markHeadSent } from '../content/raw-response.ts';
import type { Metrics } from '../../metrics/health-metrics.ts';
import { idleSocket } from '../content/idle-socket.ts';
import { SendBuffers } from '../transfers/buffer-pool.ts';
import { copyUnchecked } from '../content/copy-file.ts';
import { closeDescriptor, openFlags } from '../../files/file-descriptor.ts';
import type { KernelCalls } from '../storage/kernel-calls.ts';
import { manifestFile, manifestTag } from '../catalogue/manifest.ts';
import type { MeasurementRow } from '../store/measurements-store.ts';
import { Disconnected, ResponseWriter } from '../content/response-writer.ts';
import { transferStartOf, type AuthorizedRequest } from './authorized-request.ts';
import type { FastPathHead } from './fast-path-head.ts';
import { abortTransfer } from './end-transfer.ts';
import { describeManifest, type FileDescription } from '../content/serve-headers.ts';
import type { Serving } from './serving.ts';
import type { Transfer } from '../transfers/transfer.ts';

/**
 * Most bytes given to a socket in one turn of the event loop; this many take a third of a
 * millisecond.
 */
const maxBytesPerTurn = 4 * 1024 * 1024;

/** File and headers of a manifest, cached per measurement row. */
interface CachedManifest {
  readonly basePath: string;
  readonly file: string;
  readonly description: FileDescription;
}

/**
 * Sends an uncompressed manifest ahead of the router, from the file it was frozen into. A manifest
 * has no checksum to check while sending, so `sendfile` can send it, nearly always in the turn of
 * the request. Bytes that the socket does not accept follow through a ResponseWriter.
 */
export function fastPathManifest(
  serving: Serving,
  kernel: KernelCalls,
  makeHead: (what: FastPathHead) => string,
  metrics: Pick<Metrics, 'count'>,
): (call: AuthorizedRequest) => boolean {
  const { transfers, services } = serving;
  const known = new WeakMap<MeasurementRow, CachedManifest>();
  const heads = Buffer.allocUnsafeSlow(SendBuffers.headRoom);
  const pace = () => serving.syncIoPolicies.of(services.paths.manifests);

  function cache(measurement: MeasurementRow): CachedManifest {
    const basePath = serving.basePath();
    const before = known.get(measurement);
    if (before?.basePath === basePath) return before;
    const description = describeManifest(manifestTag(measurement, basePath), measurement, false);
    const kept = { basePath, file: manifestFile(services, measurement, basePath), description };
    known.set(measurement, kept);
    return kept;
  }

  function complete(transfer: Transfer): void {
    transfers.end(transfer, 'complete');
    metrics.count('GET', 200);
  }

  async function sendRest(transfer: Transfer, fd: number, position: number): Promise<void> {
    const { response } = transfer;
    const { length } = transfer.start;
    const writer = new ResponseWriter({
      response,
      buffers: serving.buffers,
      kernel,
      bufferSize: SendBuffers.big,
      length: length - position,
      // The head has already been sent.
      sendHead: () => {},
      onSent: (bytes) => transfers.sent(transfer, bytes),
      confirm: () => transfers.confirm(transfer),
    });
    try {
      if ((await copyUnchecked(writer, { fd, syncIo: pace() }, position, length)) < length)
        throw new Error('the stored manifest is shorter than it was');
      await writer.end();
      complete(transfer);
    } catch (error) {
      if (!(error instanceof Disconnected)) return await abortTransfer(serving, services.log, transfer, error);
      response.destroy();
      transfers.end(transfer, 'client-closed');
    } finally {
      writer.release();
      closeDescriptor(fd);
    }
  }

  /** Returns null when too many transfers run; the ordinary handler then reports that. */
  function begin(call: AuthorizedRequest, length: number): Transfer | null {
    try {
      return transfers.begin(
        transferStartOf(call, { fileIndex: null, status: 200, length, from: 0, of: length }),
        call.response,
      );
    } catch {
      return null;
    }
  }

  /** @returns whether the descriptor is still needed; null when nothing was sent. */
  function send(call: AuthorizedRequest, fd: number, description: FileDescription): boolean | null {
    const { response } = call;
    const length = fstatSync(fd).size;
    const first = Math.min(length, maxBytesPerTurn);
    const head = makeHead({ description, status: 200, length, range: { start: 0, end: length } });
    const socket = idleSocket(response);
    // When the last byte is in the page cache, so are the bytes before it; otherwise `sendfile`
    // would block on the disk.
    if (socket < 0 || head.length > heads.length || length === 0 || kernel.readCached(fd, heads, 0, 1, first - 1) === 0)
      return null;
    const transfer = begin(call, length);
    if (!transfer) return null;
    const since = performance.now();
    const gone = kernel.send(socket, heads, 0, heads.write(head, 0, 'latin1'), true);
    const passed = gone === head.length ? kernel.sendFile(socket, fd, 0, first) : 0;
    pace().record(since);
    transfers.sent(transfer, passed);
    if (passed === length) {
      complete(transfer);
      endWithRawHead(response, 200, head, null);
      return false;
    }
    markHeadSent(response, 200, head);
    if (gone < head.length) response.write(head.slice(gone), 'latin1');
    void sendRest(transfer, fd, passed);
    return true;
  }

  return (call) => {
    if (!pace().allowed || acceptsGzip(call.parsed.acceptEncoding)) return false;
    const { file, description } = cache(call.measurement);
    const fd = tryOpen(file);
    if (fd < 0) return false;
    const needed = send(call, fd, description);
    if (needed !== true) closeSync(fd);
    return needed !== null;
  };
}

/** @returns -1 when the file cannot be opened; the ordinary handler then writes it again. */
function tryOpen(file: string): number {
  try {
    return openSync(file, openFlags);
  } catch {
    return -1;
  }
}
