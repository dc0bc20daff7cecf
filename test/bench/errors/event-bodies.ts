import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { constants, crc32, deflateRawSync } from 'node:zlib';
import { plainBody, sdkRequests } from '../../service/errors/ingest/sdk-requests.ts';

interface Frame {
  readonly [member: string]: unknown;
}

interface Exception {
  readonly stacktrace?: { readonly frames: readonly Frame[] };
}

interface Payload {
  readonly exception?: readonly Exception[] | { readonly values: readonly Exception[] } | Exception;
  readonly [member: string]: unknown;
}

// The client puts a new id wherever this occurs.
const id = '@'.repeat(32);
const times = [0, 1, 2, 3];
const sources = path.resolve(import.meta.dirname, '../../../src-main/service');

/**
 * Compressed envelopes as SDKs send them: recorded exceptions of seven SDKs, extended by
 * breadcrumbs and by frames with eleven lines of source and local variables, most of which the
 * frames share. @param bytes length of each event, inflated. @returns the files: errors that occur
 * four times, each time with other breadcrumbs and values.
 */
export function writeEventBodies(dir: string, bytes: number): readonly string[] {
  mkdirSync(dir, { recursive: true });
  const lines = sourceLines();
  return times.flatMap((time) =>
    recordedExceptions().map((payload, place) => {
      const event = JSON.stringify(
        lengthened(
          { ...payload, event_id: id, timestamp: Date.now() / 1000 },
          { bytes, lines, begin: place * 1009, time },
        ),
      );
      const file = path.join(dir, `${place}-${time}.envelope.gz`);
      writeFileSync(
        file,
        compressed(
          `${JSON.stringify({ event_id: id })}\n${JSON.stringify({ type: 'event', length: Buffer.byteLength(event) })}\n${event}\n`,
        ),
      );
      return file;
    }),
  );
}

/**
 * Gzip (RFC 1952) with the ids in stored blocks, where the client can replace them; the file name
 * has their positions.
 */
function compressed(envelope: string): Buffer {
  const parts = envelope.split(id).map((part) => Buffer.from(part));
  const places = parts
    .slice(0, -1)
    .map((_, index) => Buffer.concat(parts.slice(0, index + 1)).length + index * id.length);
  const stored = Buffer.concat([Buffer.of(0, id.length, 0, 0xff - id.length, 0xff), Buffer.from(id)]);
  const blocks = parts.map((part, index) =>
    index === parts.length - 1
      ? deflateRawSync(part)
      : Buffer.concat([deflateRawSync(part, { finishFlush: constants.Z_SYNC_FLUSH }), stored]),
  );
  const end = Buffer.alloc(8);
  end.writeUInt32LE(crc32(envelope), 0);
  end.writeUInt32LE(Buffer.byteLength(envelope), 4);
  return Buffer.concat([
    Buffer.of(0x1f, 0x8b, 8, 8, 0, 0, 0, 0, 0, 0xff),
    Buffer.from(`${places.join()}\0`),
    ...blocks,
    end,
  ]);
}

function recordedExceptions(): readonly Payload[] {
  return sdkRequests().flatMap((request) => {
    const text = plainBody(request).toString();
    const texts = request.url.includes('/envelope') ? text.split('\n') : [text];
    const payloads = texts.filter((one) => one !== '').map((one) => JSON.parse(one) as Payload);
    return payloads.filter((payload) => exceptionsOf(payload).some(({ stacktrace }) => stacktrace !== undefined));
  });
}

// Older SDKs send the list alone, the oldest one exception.
function exceptionsOf({ exception }: Payload): readonly Exception[] {
  if (exception === undefined) return [];
  if (Array.isArray(exception)) return exception as readonly Exception[];
  return 'values' in exception ? (exception.values as readonly Exception[]) : [exception];
}

interface Wish {
  readonly bytes: number;
  readonly lines: readonly string[];
  /** Index of the line with the first frame. */
  readonly begin: number;
  /** Index of the event within its error. */
  readonly time: number;
}

function lengthened(payload: Payload, { bytes, lines, begin, time }: Wish): Payload {
  const exceptions = exceptionsOf(payload);
  const frames: Frame[] = [];
  const breadcrumbs: unknown[] = [];
  const whole = (): Payload => ({
    ...payload,
    breadcrumbs: { values: breadcrumbs },
    exception: {
      values: exceptions.map((exception, place) =>
        place < exceptions.length - 1
          ? exception
          : { ...exception, stacktrace: { frames: [...frames, ...(exception.stacktrace?.frames ?? [])] } },
      ),
    },
  });
  let length = JSON.stringify(whole()).length;
  for (let place = begin; length < bytes; place += 1) {
    const frame = frameOf(lines, place, time);
    const breadcrumb = breadcrumbOf(place * times.length + time);
    frames.push(frame);
    breadcrumbs.push(breadcrumb);
    length += JSON.stringify(frame).length + JSON.stringify(breadcrumb).length + 2;
  }
  return whole();
}

function frameOf(lines: readonly string[], place: number, time: number): Frame {
  const some = (from: number, count: number) =>
    Array.from({ length: count }, (_, index) => lines[(from + index) % lines.length] ?? '');
  const at = place * 61;
  return {
    filename: `station/part_${at % 97}/measure.py`,
    abs_path: `/opt/station/lib/part_${at % 97}/measure.py`,
    module: `station.part_${at % 97}.measure`,
    function: `step_${at % 89}`,
    lineno: at % 900,
    in_app: true,
    pre_context: some(at, 5),
    context_line: some(at + 5, 1)[0],
    post_context: some(at + 6, 5),
    vars: {
      self: `<station.part_${at % 97}.measure.Station object at 0x7f3a${(at * 7919 + time * 104_729).toString(16)}>`,
      settings:
        '{"exposure": 0.25, "gain": 4, "grating": "600 lines", "detector": "ccd-2", "folder": "/data/instrument/qmr-2026-114"}',
      sample: "'silicon, 4 kelvin'",
      index: String((at + time * 59) % 1024),
      values: `[${Array.from({ length: 12 }, (_, index) => ((at * 31 + index * 17 + time * 3571) % 9973) / 100).join(', ')}]`,
    },
  };
}

function breadcrumbOf(place: number): unknown {
  const timestamp = new Date(1_790_000_000_000 + place * 1371).toISOString();
  const data = { url: `http://127.0.0.1:8080/api/steps/${place}`, method: 'POST', status_code: 200, reason: 'OK' };
  return {
    timestamp,
    type: 'http',
    category: 'httplib',
    level: 'info',
    message: `step ${place} of the scan took ${(place * 7) % 400} ms`,
    data,
  };
}

function sourceLines(): readonly string[] {
  return readdirSync(sources, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .toSorted()
    .flatMap((name) => readFileSync(path.join(sources, name), 'utf8').split('\n'))
    .filter((line) => line.trim() !== '');
}
