import type { Inspection } from '../../../api/requests/types.ts';
import { useUnits } from '../../../context/context.ts';
import { formatBytes } from '../../../../src-shared/format/quantities.ts';
import { isMeasurementId } from '../../../../src-shared/measurement-names.ts';
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
  readonly badId: string | null;
  readonly onInput: (input: RegisterInput) => void;
}

/** @returns why the service would refuse this id, or null. */
export function idFault(id: string): string | null {
  return isMeasurementId(id)
    ? null
    : 'Letters, digits, dots, hyphens and underscores; the first one a letter or a digit; at most 128.';
}

/** Id, title and place of the files. */
export function RegisterFields({ inspection, input, badId, onInput }: RegisterFieldsProps) {
  const units = useUnits();
  return (
    <>
      <TextField
        label="Id"
        error={badId}
        hint="Part of every download URL. It cannot be changed later."
        required
        spellCheck={false}
        maxLength={128}
        value={input.id}
        onChange={(text) => onInput({ ...input, id: text })}
      />
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
