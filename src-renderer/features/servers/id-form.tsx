import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { RemoteServer } from '../../api/requests/types.ts';
import { useApp } from '../../context/context.ts';
import { Form } from '../../ui/dialogs/form.tsx';
import type { Wanted } from '../transfers/adding/fetch-dialog.tsx';
import styles from './server-page.module.css';
import { TextField } from '../../ui/controls/text-field.tsx';

/**
 * For servers without a list of measurements: looks up a measurement by its id before anything is
 * fetched.
 */
export function IdForm({
  server,
  onFound,
}: {
  readonly server: RemoteServer;
  readonly onFound: (wanted: Wanted) => void;
}) {
  const { queries } = useApp();
  const client = useQueryClient();
  const [id, setId] = useState('');
  const find = async (): Promise<void> => {
    const page = await client.fetchQuery(queries.remoteFiles(server.id, id, '', 0));
    onFound({ id, title: null, files: page.file_count, bytes: page.total_bytes });
  };
  return (
    <div className={styles['form']}>
      <Form verb="Find" ready={id !== ''} onSubmit={find}>
        <TextField
          label="Measurement id"
          hint="This server cannot list its measurements. The id is part of the measurement's address, or ask its owner."
          spellCheck={false}
          maxLength={256}
          value={id}
          onChange={(text) => setId(text.trim())}
        />
      </Form>
    </div>
  );
}
