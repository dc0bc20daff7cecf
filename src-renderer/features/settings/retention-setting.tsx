import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Cancelled } from '../../api/requests/problem.ts';
import type { AuditRetention } from '../../api/requests/types.ts';
import { useApp } from '../../context/context.ts';
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog.tsx';
import { Choices } from '../../ui/controls/field.tsx';
import { formatCount } from '../../../src-shared/format/quantities.ts';
import { readRetention, retentionParts, retentionQuestion, type RetentionPart } from './retention-words.ts';
import { SettingGroup } from './answers/setting-group.tsx';
import styles from './settings-screen.module.css';
import { TextSetting } from './text-setting.tsx';

const groups: readonly { readonly legend: string; readonly hint: string; readonly parts: readonly RetentionPart[] }[] =
  [
    {
      legend: 'Transfers and downloads',
      hint: 'Who fetched what, when and from where: the history of each measurement, and Sharing, History.',
      parts: ['transfer_days', 'transfer_rows'],
    },
    {
      legend: 'All other events',
      hint: 'Sign-ins, tokens, grants, settings and the rest of the audit trail.',
      parts: ['audit_days', 'audit_rows'],
    },
  ];

interface Question {
  readonly part: RetentionPart;
  readonly value: number;
  readonly words: ReturnType<typeof retentionQuestion>;
  readonly saved: () => void;
  readonly cancelled: () => void;
}

/**
 * Retention of the audit trail; for administrators. A value that deletes rows needs confirmation.
 */
export function RetentionSetting() {
  const { queries } = useApp();
  const retention = useQuery(queries.auditRetention());
  return (
    <SettingGroup heading="Retention" of={retention}>
      {(data) => <Limits kept={data} />}
    </SettingGroup>
  );
}

function Limits({ kept }: { readonly kept: AuditRetention }) {
  const { actions, queries } = useApp();
  const client = useQueryClient();
  const [question, setQuestion] = useState<Question | null>(null);

  async function write(part: RetentionPart, value: number): Promise<void> {
    client.setQueryData(queries.auditRetention().queryKey, await actions.setAuditRetention({ [part]: value }));
  }

  async function save(part: RetentionPart, value: number): Promise<void> {
    if (value >= kept[part]) return write(part, value);
    return new Promise((resolve, reject) => {
      setQuestion({
        part,
        value,
        words: retentionQuestion(part, value, new Date()),
        saved: resolve,
        cancelled: () => reject(new Cancelled()),
      });
    });
  }

  return (
    <>
      <h2>Retention</h2>
      <p className="remark">
        The oldest rows are deleted once an hour, when they are older than this or there are more of them. Measurements
        and their files are never deleted here.
      </p>
      {groups.map(({ legend, hint, parts }) => (
        <Choices key={legend} legend={legend} hint={hint}>
          <div className={styles['limits']}>
            {parts.map((part) => (
              <TextSetting
                key={part}
                label={retentionParts[part].label}
                kept={formatCount(kept[part])}
                read={(text) => readRetention(part, text)}
                save={(value) => save(part, value)}
              />
            ))}
          </div>
        </Choices>
      ))}
      {question === null ? null : <Deleting question={question} onConfirm={write} onClose={() => setQuestion(null)} />}
    </>
  );
}

interface DeletingProps {
  readonly question: Question;
  readonly onConfirm: (part: RetentionPart, value: number) => Promise<void>;
  readonly onClose: () => void;
}

function Deleting({ question: { part, value, words, saved, cancelled }, onConfirm, onClose }: DeletingProps) {
  return (
    <ConfirmDialog
      open
      title={words.title}
      verb="Delete and keep less"
      onConfirm={async () => {
        await onConfirm(part, value);
        saved();
      }}
      onClose={() => {
        // Has no effect once it was saved.
        cancelled();
        onClose();
      }}
    >
      {words.body}
    </ConfirmDialog>
  );
}
