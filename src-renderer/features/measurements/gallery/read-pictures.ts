import type { FileStatus } from '../../../api/requests/types.ts';
import type { Thumbnail } from '../../../preview/thumbnail/make-thumbnail.ts';

/** The small picture of a file, as far as it has come. */
export type Picture =
  | { readonly kind: 'reading' }
  | { readonly kind: 'shown'; readonly thumbnail: Thumbnail }
  /** The reason is a sentence. */
  | { readonly kind: 'failed'; readonly reason: string };

export interface ReadPicturesDeps {
  readonly make: (file: FileStatus, signal: AbortSignal) => Promise<Thumbnail>;
  readonly tell: (index: number, picture: Picture) => void;
  /** Ends all reading; nothing is told after it. */
  readonly signal: AbortSignal;
}

/** Files that are read at once: each has a worker, and requests of its own. */
const maxAtOnce = 2;

/** Reads the pictures of files one after the other, two at a time. */
export async function readPictures(files: readonly FileStatus[], deps: ReadPicturesDeps): Promise<void> {
  const { make, tell, signal } = deps;
  let next = 0;
  const readOn = async (): Promise<void> => {
    for (;;) {
      const file = files[next];
      next += 1;
      if (file === undefined || signal.aborted) return;
      tell(file.index, { kind: 'reading' });
      const picture = await pictureOf(file);
      if (!signal.aborted) tell(file.index, picture);
    }
  };
  const pictureOf = async (file: FileStatus): Promise<Picture> => {
    try {
      return { kind: 'shown', thumbnail: await make(file, signal) };
    } catch (error) {
      return {
        kind: 'failed',
        reason: error instanceof Error ? error.message : 'Reading it stopped without a reason.',
      };
    }
  };
  await Promise.all(Array.from({ length: maxAtOnce }, readOn));
}
