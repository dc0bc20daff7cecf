import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { useStore } from 'zustand';
import type { FetchManyRequest } from '../../../api/requests/types.ts';
import { useApp } from '../../../context/context.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { DialogFoot } from '../../../ui/dialogs/dialog-foot.tsx';
import { countOf, formatCount } from '../../../../src-shared/format/quantities.ts';
import { lineText } from '../../../../src-shared/format/shown-text.ts';
import { Note } from '../../../ui/notes/note.tsx';
import { ProgressBar } from '../../../ui/notes/progress-bar.tsx';
import { addMany, byReason, type Adding } from './add-many.ts';

const shownIds = 5;

/** Adds many fetches, shows the progress, and finally what was added and what was not, and why. */
export function AddingMany({ request, onClose }: { readonly request: FetchManyRequest; readonly onClose: () => void }) {
  const { actions, live, toasts } = useApp();
  const client = useQueryClient();
  const navigate = useNavigate();
  const total = request.measurements.length;
  const [adding, setAdding] = useState<Adding>({
    total,
    added: [],
    refused: [],
    left: total,
    key: null,
    failure: null,
  });
  const [state, setState] = useState<'adding' | 'stopping' | 'over'>('adding');
  const [cancel] = useState(() => new AbortController());
  const heard = useStore(live, (store) => store.adding);
  const started = useRef(false);

  useEffect(() => {
    if (started.current) return;
    started.current = true;
    const parts = {
      send: actions.addFetches,
      cancel: actions.cancelAddingFetches,
      onProgress: setAdding,
      cancelled: cancel.signal,
    };
    void addMany(request, parts).then((end) => {
      void client.invalidateQueries({ queryKey: ['fetches'] });
      setAdding(end);
      setState('over');
      if (end.added.length < end.total) return;
      onClose();
      const text = `${countOf(end.added.length, 'measurement')} ${request.paused === true ? 'are in the list' : 'are being fetched'}`;
      toasts
        .getState()
        .show({ kind: 'plain', text, action: { label: 'Show', run: () => void navigate({ to: '/transfers' }) } });
    });
  }, [actions, cancel, client, navigate, onClose, request, toasts]);

  const done = total - adding.left + (heard !== null && heard.key === adding.key ? heard.done : 0);
  if (state !== 'over')
    return (
      <div className="stack">
        <p role="status">{state === 'stopping' ? 'Stopping.' : 'Adding to the list.'}</p>
        <ProgressBar fraction={done / total} label="Added to the list" />
        <p className="digits">
          {formatCount(done)} of {countOf(total, 'measurement')}
        </p>
        <DialogFoot>
          <Button
            busy={state === 'stopping'}
            onClick={() => {
              setState('stopping');
              cancel.abort();
            }}
          >
            Cancel
          </Button>
        </DialogFoot>
      </div>
    );
  return (
    <div className="stack">
      <p role="status">
        {formatCount(adding.added.length)} of {countOf(total, 'measurement')} {adding.added.length === 1 ? 'is' : 'are'}{' '}
        in the list.
      </p>
      {adding.left === 0 ? null : (
        <Note kind={adding.failure === null ? 'info' : 'bad'}>
          <p>
            {adding.failure === null
              ? `Cancelled: ${formatCount(adding.left)} ${adding.left === 1 ? 'was' : 'were'} not added.`
              : `${formatCount(adding.left)} may not have been added: ${adding.failure}`}
          </p>
        </Note>
      )}
      {byReason(adding.refused).map(({ reason, ids }) => (
        <Note key={reason} kind="warn">
          <p>
            {countOf(ids.length, 'measurement')} could not be added: {reason}
          </p>
          <p>
            <code>
              {ids
                .slice(0, shownIds)
                .map((id) => lineText(id, 60))
                .join(', ')}
            </code>
            {ids.length > shownIds ? ` and ${formatCount(ids.length - shownIds)} more` : ''}
          </p>
        </Note>
      ))}
      <DialogFoot>
        <Button onClick={onClose}>Close</Button>
        <Button
          look="primary"
          onClick={() => {
            onClose();
            void navigate({ to: '/transfers' });
          }}
        >
          Show transfers
        </Button>
      </DialogFoot>
    </div>
  );
}
