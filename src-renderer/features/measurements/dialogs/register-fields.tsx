import type { Inspection } from '../../../api/requests/types.ts';
import { useUnits } from '../../../context/context.ts';
import { formatBytes } from '../../../../src-shared/format/quantities.ts';
import { MeasurementIdField } from '../../../ui/controls/measurement-id-field.tsx';
import { TextField } from '../../../ui/controls/text-field.tsx';
import { RadioChoices } from '../../../ui/controls/radio-choices.tsx';

export interface RegisterInput {
  readonly id: string;
  readonly title: string;
  /** True to copy the files into the library instead of serving them where they are. */
  readonly copy: boolean;
}

export interface RegisterFieldsProps {
  readonly inspection: Inspection;
  readonly input: RegisterInput;
  readonly onInput: (input: RegisterInput) => void;
}

/** Id, title and place of the files. */
export function RegisterFields({ inspection, input, onInput }: RegisterFieldsProps) {
  const units = useUnits();
  return (
    <>
      <MeasurementIdField value={input.id} onChange={(id) => onInput({ ...input, id })} />
      <TextField
        label="Title"
        maxLength={200}
        value={input.title}
        onChange={(text) => onInput({ ...input, title: text })}
      />
      <RadioChoices
        legend="Files"
        name="copy"
        value={input.copy}
        choices={[
          {
            value: false,
            label: 'Leave them where they are',
            meaning:
              inspection.kind === 'zip'
                ? 'Not possible for a ZIP: its files are unpacked into the library.'
                : 'Benchport serves them from there. If a file is changed later, Benchport notices and stops serving it.',
            disabled: inspection.kind === 'zip',
          },
          {
            value: true,
            label: 'Copy them into the library',
            meaning: `Needs ${formatBytes(inspection.total_bytes, units)} more space; you may delete the originals afterwards.`,
          },
        ]}
        onChange={(copy) => onInput({ ...input, copy })}
      />
    </>
  );
}
