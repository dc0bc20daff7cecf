import { useQuery } from '@tanstack/react-query';
import { ArrowLeft, Maximize2, Minimize2, X } from 'lucide-react';
import { useEffect } from 'react';
import { useApp } from '../../../context/context.ts';
import { IconButton } from '../../../ui/controls/button.tsx';
import { CopyButton } from '../../../ui/controls/copy-button.tsx';
import { NotLoaded } from '../../../ui/notes/not-loaded.tsx';
import { narrowQuery, useMedia } from '../../../ui/hooks/use-media.ts';
import { ErrorBody } from './error-body.tsx';
import type { ErrorDetailProps } from './error-detail-props.ts';
import styles from './error-detail.module.css';
import { eventLink } from '../search/errors-search.ts';
import { lineText } from '../../../../src-shared/format/shown-text.ts';
import detail from '../../../ui/layout/detail.module.css';

/** One error: how often, since when, where; and its events one by one. */
export function ErrorDetailPanel(props: ErrorDetailProps) {
  const { project, errorId, event, wide, onWide, onClose } = props;
  const { queries } = useApp();
  const narrow = useMedia(narrowQuery);
  const { data, error, refetch } = useQuery(queries.error(project.id, errorId));
  const page = useQuery(queries.errorEvent(project.id, errorId, event));
  const title = data === undefined ? null : lineText(data.title, 120);
  useEffect(() => {
    const before = document.title;
    if (title !== null) document.title = `${title} · Errors · Benchport`;
    return () => {
      document.title = before;
    };
  }, [title]);
  const address = new URL(`/ui/projects/${encodeURIComponent(project.path)}/errors/${errorId}`, window.location.href)
    .href;
  const service = useQuery(queries.service());
  const shared =
    service.data === undefined
      ? address
      : address.replace(window.location.origin, service.data.shared_url ?? service.data.base_url.replace(/\/$/, ''));
  return (
    <>
      {/* The list and its heading are hidden in this layout. */}
      {wide && !narrow ? <h1 className="visually-hidden">Errors</h1> : null}
      <header className={detail['head']}>
        {narrow ? <IconButton label="Back to the list" icon={<ArrowLeft />} onClick={onClose} /> : null}
        <h2 className={styles['type']} title={lineText(data?.title ?? '', 1000)}>
          <bdi>
            {data === undefined
              ? `Error ${lineText(errorId, 30)}`
              : lineText(data.type === '' ? data.title : data.type)}
          </bdi>
        </h2>
        <span>
          <CopyLink address={shared} event={event === 'latest' ? null : event} />
          {narrow ? null : (
            <>
              <IconButton
                label={wide ? 'Show the list beside it' : 'Use the whole width'}
                icon={wide ? <Minimize2 /> : <Maximize2 />}
                onClick={() => onWide(!wide)}
              />
              <IconButton label="Close the error" icon={<X />} onClick={onClose} />
            </>
          )}
        </span>
      </header>
      <NotLoaded of={{ data, error, refetch }} className="padded" />
      {data === undefined ? null : <ErrorBody {...props} error={data} page={page} address={shared} />}
    </>
  );
}

function CopyLink({ address, event }: { readonly address: string; readonly event: string | null }) {
  return <CopyButton text={event === null ? address : eventLink(address, event)} label="Copy the link" />;
}
