import type { ByteSource } from '../provider/byte-source.ts';
import { bytesReader, readBytes } from './bytes.ts';
import { csvReader } from './csv.ts';
import { dicomReader } from './dicom.ts';
import { hdf5Reader } from './hdf5.ts';
import { imageReader } from './image.ts';
import { fcsReader } from './fcs.ts';
import { jcampReader } from './jcamp.ts';
import { mzmlReader } from './mzml.ts';
import { niftiReader, packedNiftiReader } from './nifti.ts';
import { notebookReader } from './notebook.ts';
import { zipReader } from './zip.ts';
import type { OpenedFile, Reader } from './reader.ts';
import { svgReader } from './svg.ts';
import { textReader } from './text.ts';
import { tiffReader } from './tiff.ts';

/** All formats; the first one that recognises a file reads it. */
const readers: readonly Reader[] = [
  hdf5Reader,
  tiffReader,
  imageReader,
  zipReader,
  niftiReader,
  packedNiftiReader,
  dicomReader,
  fcsReader,
  mzmlReader,
  jcampReader,
  notebookReader,
  svgReader,
  csvReader,
  textReader,
  bytesReader,
];

const headBytes = 64 * 1024;

/**
 * Opens a file by its beginning and its name. Every file can also be seen as bytes.
 *
 * @throws PreviewError where the beginning is damaged, or the file cannot be read.
 */
export async function openFile(source: ByteSource, name: string, onlyBytes = false): Promise<OpenedFile> {
  const lowerCase = name.toLowerCase();
  if (!onlyBytes) for (const reader of readers) reader.prepare?.(lowerCase);
  const beginning = { head: await source.read(0, headBytes), name: lowerCase };
  const reader = onlyBytes ? bytesReader : (readers.find((one) => one.matches(beginning)) ?? bytesReader);
  const opened = await reader.open(source, beginning);
  const { content } = opened;
  return {
    content: content.views.includes('bytes') ? content : { ...content, views: [...content.views, 'bytes'] },
    answer: async (question) =>
      question.kind === 'bytes' ? readBytes(source, question.offset) : opened.answer(question),
  };
}
