import { PreviewError } from '../../provider/preview-error.ts';
import { rowBytesOf, type ValueForm } from './value-form.ts';

/**
 * Turns differences of neighbours back into values, in place (TIFF 6.0, section 14, and its third
 * technical note).
 *
 * @param width of the tile, in pixels.
 * @throws PreviewError for another predictor.
 */
export function undoPredictor(bytes: Uint8Array, form: ValueForm, width: number): void {
  if (form.predictor === 1) return;
  const rowBytes = rowBytesOf(form, width);
  const isFloat = form.predictor === 3 && form.format === 3;
  const isWhole = form.predictor === 2 && [8, 16, 32].includes(form.bits);
  if (!isFloat && !isWhole)
    throw new PreviewError('limit', `The picture is packed with the predictor ${form.predictor}, which is not read.`);
  for (let at = 0; at + rowBytes <= bytes.length; at += rowBytes) {
    const row = bytes.subarray(at, at + rowBytes);
    if (isFloat) undoFloat(row, form);
    else undoWhole(row, form);
  }
}

function undoWhole(row: Uint8Array, { bits, together, isLittleEndian }: ValueForm): void {
  const step = together * (bits / 8);
  if (bits === 8) {
    for (let at = step; at < row.length; at += 1) row[at] = (row[at] ?? 0) + (row[at - step] ?? 0);
    return;
  }
  const view = new DataView(row.buffer, row.byteOffset, row.byteLength);
  for (let at = step; at < row.length; at += bits / 8) {
    if (bits === 16)
      view.setUint16(
        at,
        view.getUint16(at, isLittleEndian) + view.getUint16(at - step, isLittleEndian),
        isLittleEndian,
      );
    else
      view.setUint32(
        at,
        view.getUint32(at, isLittleEndian) + view.getUint32(at - step, isLittleEndian),
        isLittleEndian,
      );
  }
}

/** The bytes of a row lie by their significance, the highest first. */
function undoFloat(row: Uint8Array, { bits, together, isLittleEndian }: ValueForm): void {
  for (let at = together; at < row.length; at += 1) row[at] = (row[at] ?? 0) + (row[at - together] ?? 0);
  const bytes = bits / 8;
  const count = row.length / bytes;
  const planes = row.slice();
  for (let value = 0; value < count; value += 1)
    for (let byte = 0; byte < bytes; byte += 1)
      row[value * bytes + (isLittleEndian ? bytes - 1 - byte : byte)] = planes[byte * count + value] ?? 0;
}
