import { malformed, PreviewError } from '../../provider/preview-error.ts';

/**
 * Unpacks zlib data (RFC 1950) up to a limit, because few bytes can stand for very many.
 *
 * @throws PreviewError beyond the limit, and for damaged data.
 */
export async function unpackZlib(bytes: Uint8Array<ArrayBuffer>, maxBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array[] = [];
  let length = 0;
  const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate')).getReader();
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      length += part.value.length;
      if (length > maxBytes)
        throw new PreviewError('limit', 'A part of the file unpacks to more than a preview shows.');
      parts.push(part.value);
    }
  } catch (error) {
    throw error instanceof PreviewError ? error : malformed('Packed data of the file are damaged.');
  } finally {
    await reader.cancel().catch(() => undefined);
  }
  const whole = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
