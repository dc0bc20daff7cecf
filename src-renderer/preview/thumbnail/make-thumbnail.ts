import type { Answer, Content } from '../messages/content.ts';
import type { Question } from '../messages/messages.ts';
import { openPreview, type PreviewTarget } from '../session/preview-session.ts';
import { firstColumns } from '../views/first-columns.ts';
import { curvePath } from './curve-path.ts';
import { smallDrawing, smallPicture, smallPlane, smallRaster } from './small-bitmap.ts';

/** A small picture of a file, or its curve as the path of an SVG element (`curveBox`). */
export type Thumbnail =
  | { readonly kind: 'picture'; readonly bitmap: ImageBitmap }
  | { readonly kind: 'curve'; readonly path: string };

type Ask = (question: Question) => Promise<Answer>;

/** A file that takes longer is given up, so that the others have their turn. */
const maxMs = 20_000;

/**
 * Makes the small picture of a file: what its preview shows first, if that is a picture or a curve.
 * Its worker ends with it.
 *
 * @throws Error whose message is a sentence on why there is none, also when `signal` aborts.
 */
export async function makeThumbnail(
  file: Omit<PreviewTarget, 'onlyBytes'>,
  signal: AbortSignal,
  open: typeof openPreview = openPreview,
): Promise<Thumbnail> {
  signal.throwIfAborted();
  const late = AbortSignal.timeout(maxMs);
  const done = new AbortController();
  try {
    const { content, ask } = await opened(file, AbortSignal.any([signal, late, done.signal]), open);
    return await draw(content, ask);
  } catch (error) {
    if (late.aborted)
      throw new Error(`It takes longer than the ${maxMs / 1000} s that a small picture may take.`, { cause: error });
    throw error;
  } finally {
    done.abort();
  }
}

/** Opens a file until `ended` aborts, which ends its worker and all that waits for it. */
async function opened(
  file: Omit<PreviewTarget, 'onlyBytes'>,
  ended: AbortSignal,
  open: typeof openPreview,
): Promise<{ readonly content: Content; readonly ask: Ask }> {
  return new Promise((resolve, reject) => {
    const session = open({
      ...file,
      onlyBytes: false,
      purpose: 'thumbnail',
      onProgress: () => undefined,
      onOpened: (content) => resolve({ content, ask: async (question) => session.ask(question) }),
      onFailed: ({ detail }) => reject(new Error(detail)),
    });
    const end = (): void => {
      session.close();
      reject(new Error('The preview is closed.'));
    };
    ended.addEventListener('abort', end, { once: true });
  });
}

async function draw(content: Content, ask: Ask): Promise<Thumbnail> {
  if (content.views.includes('tiles')) return drawPage(ask);
  const question = await firstQuestion(content, ask);
  if (question === null) throw new Error('Nothing in it is drawn as a picture or a curve.');
  const answer = await ask(question);
  if (answer.kind === 'picture') return { kind: 'picture', bitmap: smallPicture(answer.bitmap) };
  if (answer.kind === 'plane') return { kind: 'picture', bitmap: smallPlane(answer) };
  if (answer.kind === 'drawing') return { kind: 'picture', bitmap: await smallDrawing(answer.svg) };
  const path = answer.kind === 'curve' ? curvePath(answer) : '';
  if (path === '') throw new Error('Its curve has no values.');
  return { kind: 'curve', path };
}

/** The first page of a picture that is read by tiles, reduced by its reader. */
async function drawPage(ask: Ask): Promise<Thumbnail> {
  const layout = await ask({ kind: 'layout', at: [] });
  const page = await ask({ kind: 'coarse', at: [], sample: null });
  if (layout.kind !== 'layout' || page.kind !== 'raster') throw new Error('Reading the file led to nonsense.');
  return { kind: 'picture', bitmap: smallRaster(page, layout) };
}

/** The question for what is shown first of a file; null for one without a picture. */
async function firstQuestion({ views, columns, firstDataset }: Content, ask: Ask): Promise<Question | null> {
  if (views.includes('picture')) return { kind: 'picture' };
  if (views.includes('drawing')) return { kind: 'drawing' };
  if (views.includes('plot')) return { kind: 'curve', ...firstColumns(columns) };
  if (!views.includes('tree') || firstDataset === null) return null;
  const node = await ask({ kind: 'node', path: firstDataset });
  if (node.kind !== 'node' || node.picture === 'none') return null;
  const leading = node.shape.slice(0, node.picture === 'plane' ? -2 : -1).map(() => 0);
  return { kind: node.picture, path: firstDataset, at: leading };
}
