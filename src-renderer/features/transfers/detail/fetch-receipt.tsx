import { useQuery, useQueryClient } from '@tanstack/react-query';
import { FileBadge, Save } from 'lucide-react';
import { useState } from 'react';
import { plainText } from '../../../../src-shared/format/shown-text.ts';
import { toApiError } from '../../../api/requests/problem.ts';
import type { Fetch, FetchReceipt as Shape } from '../../../api/requests/types.ts';
import { useApp } from '../../../context/context.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { saveText } from '../../../ui/controls/save-text.ts';
import { Moment } from '../../../ui/figures/moment.tsx';
import styles from './transfer-detail.module.css';

/** The receipt that is kept of a fetch, or the button that asks the server for it. */
export function FetchReceipt({ fetch }: { readonly fetch: Fetch }) {
  const { queries, actions } = useApp();
  const client = useQueryClient();
  const query = queries.fetchReceipt(fetch.id);
  const { data, error } = useQuery(query);
  const [asking, setAsking] = useState(false);
  const [refused, setRefused] = useState<string | null>(null);
  const keep = async (): Promise<void> => {
    setAsking(true);
    setRefused(null);
    try {
      client.setQueryData(query.queryKey, await actions.keepFetchReceipt(fetch.id));
    } catch (failure) {
      setRefused(toApiError(failure).detail);
    } finally {
      setAsking(false);
    }
  };
  if (error) return <span>{toApiError(error).detail}</span>;
  if (data === undefined) return null;
  if (!data.available) return <span>only of a whole measurement that is verified</span>;
  if (data.kept !== null) return <Kept receipt={data.kept} file={data.file} id={fetch.measurement_id} />;
  return (
    <span className={styles['receipt']}>
      <Button icon={<FileBadge aria-hidden />} busy={asking} onClick={() => void keep()}>
        Keep a receipt
      </Button>
      <span role="status">{refused ?? data.problem ?? ''}</span>
    </span>
  );
}

interface KeptProps {
  readonly receipt: NonNullable<Shape['kept']>;
  readonly file: string;
  readonly id: string;
}

function Kept({ receipt, file, id }: KeptProps) {
  const save = (): void => saveText(`${id}.receipt.json`, `${JSON.stringify(receipt.content, null, 2)}\n`);
  return (
    <span className={styles['receipt']}>
      <span>
        {plainText(receipt.issued_by)} signed for {plainText(receipt.issued_to)} that it has this measurement,{' '}
        <Moment at={receipt.issued_at} />
      </span>
      <code>{file}</code>
      <Button icon={<Save aria-hidden />} onClick={save}>
        Save a copy
      </Button>
    </span>
  );
}
