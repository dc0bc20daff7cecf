import { endRecords } from '../../../../src-shared/archive/zip-format.ts';
import { copyDirectory } from '../content/copy-directory.ts';
import type { ResponseWriter } from '../content/response-writer.ts';
import type { FilesStore } from '../store/files-store.ts';
import type { SelectionLayout } from './layout.ts';

/** The archive of a selection, whose members are parts of the archive of all files. */
export interface SelectionSource {
  readonly measurementId: string;
  readonly layout: SelectionLayout;
  readonly files: Pick<FilesStore, 'indexAtDirectoryOffset' | 'membersFrom'>;
  /** Writes bytes of members by their offsets in the archive of all files. */
  readonly copyMembers: (writer: ResponseWriter, start: number, end: number) => Promise<void>;
}

/**
 * Writes the bytes of the archive of a selection from `start` to `end` into a body.
 *
 * @throws FileFault when a member differs from what was registered, or HttpProblem 503.
 */
export async function copySelection(
  writer: ResponseWriter,
  { measurementId, layout, files, copyMembers }: SelectionSource,
  start: number,
  end: number,
): Promise<void> {
  const { spans, fileCount, directoryOffset, directoryLength } = layout;
  for (const span of spans) {
    const [from, to] = [Math.max(start, span.at), Math.min(end, span.at + span.length)];
    if (from >= to) continue;
    await copyMembers(writer, from + span.shift, to + span.shift);
    // Many short spans would keep others waiting.
    await new Promise(setImmediate);
  }
  for (const span of spans) {
    const at = directoryOffset + span.directoryAt;
    const [from, to] = [Math.max(start - at, 0), Math.min(end - at, span.directoryLength)];
    if (from < to) await copyDirectory(writer, files, measurementId, span, from, to);
  }
  const endAt = directoryOffset + directoryLength;
  if (end > endAt)
    await writer.put(
      Buffer.from(endRecords(fileCount, directoryLength, directoryOffset)).subarray(
        Math.max(start - endAt, 0),
        end - endAt,
      ),
    );
}
