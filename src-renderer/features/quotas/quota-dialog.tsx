import { useQuery, useQueryClient, type UseQueryOptions } from '@tanstack/react-query';
import { useState } from 'react';
import { formatBytes } from '../../../src-shared/format/quantities.ts';
import type { Quota } from '../../api/requests/types.ts';
import { useToast, useUnits } from '../../context/context.ts';
import { RadioChoices } from '../../ui/controls/radio-choices.tsx';
import { SelectField, TextField } from '../../ui/controls/text-field.tsx';
import { Dialog } from '../../ui/dialogs/dialog.tsx';
import { DialogForm } from '../../ui/dialogs/form.tsx';
import { NotLoaded } from '../../ui/notes/not-loaded.tsx';
import { readSize, sizeFields, sizeUnitName, sizeUnits, type SizeUnit } from './quota-text.ts';
import { QuotaUse } from './quota-use.tsx';
import styles from './quota-use.module.css';

export interface QuotaDialogProps {
  /** User name, or path of a project. */
  readonly name: string;
  readonly query: UseQueryOptions<Quota>;
  /** A sentence on the measurements that count. */
  readonly about: string;
  readonly save: (bytes: number | null) => Promise<Quota>;
  readonly onClose: () => void;
}

/** Shows administrators what a user or a project takes, and changes the limit. */
export function QuotaDialog({ name, query, about, save, onClose }: QuotaDialogProps) {
  const client = useQueryClient();
  const toast = useToast();
  const units = useUnits();
  const { data, error, refetch } = useQuery({ ...query, staleTime: 0 });
  return (
    <Dialog open onClose={onClose} title={`Storage of ${name}`} description={about} width="narrow">
      <NotLoaded of={{ data, error, refetch }} />
      {data === undefined ? null : (
        <>
          <QuotaUse quota={data} label={`Storage of ${name}`} />
          <LimitForm
            quota={data}
            onCancel={onClose}
            onSubmit={async (bytes) => {
              client.setQueryData(query.queryKey, await save(bytes));
              toast({
                kind: 'plain',
                text: bytes === null ? `${name} has no limit` : `The limit of ${name} is ${formatBytes(bytes, units)}`,
              });
              onClose();
            }}
          />
        </>
      )}
    </Dialog>
  );
}

interface LimitFormProps {
  readonly quota: Quota;
  readonly onCancel: () => void;
  readonly onSubmit: (bytes: number | null) => Promise<unknown>;
}

function LimitForm({ quota, onCancel, onSubmit }: LimitFormProps) {
  const units = useUnits();
  const [before] = useState(() => ({
    isLimited: quota.quota_bytes !== null,
    ...sizeFields(quota.quota_bytes, units),
  }));
  const [values, setValues] = useState(before);
  const { isLimited, number, unit } = values;
  const read = readSize(number, unit, units);
  const isChanged = isLimited
    ? !before.isLimited || number !== before.number || unit !== before.unit
    : before.isLimited;
  return (
    <DialogForm
      verb="Save"
      ready={isChanged && (!isLimited || 'bytes' in read)}
      onCancel={onCancel}
      onSubmit={() => onSubmit(isLimited && 'bytes' in read ? read.bytes : null)}
    >
      <RadioChoices
        legend="Limit"
        name="limit"
        value={isLimited}
        choices={[
          { value: false, label: 'No limit', meaning: 'Only the disk or the object storage sets one.' },
          {
            value: true,
            label: 'Limited',
            meaning: 'Uploads that would exceed it are refused.',
            more: (
              <SizeField
                number={number}
                unit={unit}
                error={number === '' && !before.isLimited ? null : 'problem' in read ? read.problem : null}
                hint={isChanged && 'bytes' in read && read.bytes < quota.used_bytes ? belowUse : undefined}
                onChange={(change) => setValues({ ...values, ...change })}
              />
            ),
          },
        ]}
        onChange={(next) => setValues({ ...values, isLimited: next })}
      />
    </DialogForm>
  );
}

const belowUse = 'Less than what is used: nothing is removed, and uploads are refused until less is used.';

interface SizeFieldProps {
  readonly number: string;
  readonly unit: SizeUnit;
  readonly error: string | null;
  readonly hint: string | undefined;
  readonly onChange: (change: { readonly number?: string; readonly unit?: SizeUnit }) => void;
}

function SizeField({ number, unit, error, hint, onChange }: SizeFieldProps) {
  const units = useUnits();
  return (
    <div className={styles['size']}>
      <TextField
        label="Size"
        inputMode="decimal"
        maxLength={20}
        error={error}
        hint={hint}
        value={number}
        onChange={(text) => onChange({ number: text })}
      />
      <SelectField
        label="Unit"
        value={unit}
        options={sizeUnits.map((one) => ({ value: one, label: sizeUnitName(one, units) }))}
        onChange={(next) => onChange({ unit: next as SizeUnit })}
      />
    </div>
  );
}
