import { Plus, X } from 'lucide-react';
import type { CaptureField } from '../../../api/requests/types.ts';
import { Button, IconButton } from '../../../ui/controls/button.tsx';
import { TextField } from '../../../ui/controls/text-field.tsx';
import styles from './rule-form.module.css';

interface ValueFieldsProps {
  readonly fields: readonly CaptureField[];
  readonly error: string | undefined;
  readonly onChange: (fields: readonly CaptureField[]) => void;
}

const maxFields = 20;

/** Fields for templates that are read from small files of each run. */
export function ValueFields({ fields, error, onChange }: ValueFieldsProps) {
  const set = (at: number, change: Partial<CaptureField>): void =>
    onChange(fields.map((field, index) => (index === at ? { ...field, ...change } : field)));
  return (
    <div className="stack" role="group" aria-label="Fields from files">
      {fields.map((field, at) => (
        // oxlint-disable-next-line react/no-array-index-key -- A row has no other identity while it is typed.
        <div key={at} className={styles['value']}>
          <TextField
            label="Field"
            spellCheck={false}
            maxLength={40}
            placeholder="sample"
            value={field.name}
            onChange={(name) => set(at, { name })}
          />
          <TextField
            label="File"
            spellCheck={false}
            maxLength={200}
            placeholder="RunInfo.xml"
            value={field.from}
            onChange={(from) => set(at, { from })}
          />
          <TextField
            label="Key in it"
            spellCheck={false}
            maxLength={200}
            placeholder="Flowcell"
            value={field.key}
            onChange={(key) => set(at, { key })}
          />
          <IconButton
            label={`Remove the field ${field.name === '' ? at + 1 : field.name}`}
            icon={<X />}
            onClick={() => onChange(fields.filter((_, index) => index !== at))}
          />
        </div>
      ))}
      {error === undefined ? null : <p className="fault">{error}</p>}
      <div className="row middle">
        <Button
          icon={<Plus aria-hidden />}
          disabled={fields.length >= maxFields}
          onClick={() => onChange([...fields, { name: '', from: '', key: '' }])}
        >
          Read a field from a file
        </Button>
        <span className="remark">Key of a line, name of an XML element or attribute, or path in JSON.</span>
      </div>
    </div>
  );
}
