import { useEffect, useState } from 'react';
import type { Content } from '../../../preview/messages/content.ts';
import type { Failure } from '../../../preview/messages/messages.ts';
import { openPreview, type PreviewProgress, type PreviewTarget } from '../../../preview/session/preview-session.ts';
import type { ViewSource } from '../../../preview/views/source.ts';

/** How the opening of a file goes. */
export type PreviewState =
  | { readonly kind: 'opening' }
  | { readonly kind: 'open'; readonly source: ViewSource }
  | { readonly kind: 'failed'; readonly failure: Failure };

/**
 * Opens a file for as long as its component is mounted.
 *
 * @param target has to stay the same object.
 */
export function usePreview(target: PreviewTarget) {
  const [state, setState] = useState<PreviewState>({ kind: 'opening' });
  const [progress, setProgress] = useState<PreviewProgress>({ bytesRead: 0, requests: 0 });
  useEffect(() => {
    const key = `${target.url} ${performance.now()}`;
    const session = openPreview({
      ...target,
      purpose: 'preview',
      onProgress: setProgress,
      onOpened: (content: Content) =>
        setState({
          kind: 'open',
          source: { key, content, length: target.length, ask: async (question) => session.ask(question) },
        }),
      onFailed: (failure) => setState({ kind: 'failed', failure }),
    });
    return () => session.close();
  }, [target]);
  return { state, progress };
}
