import type { Inspection } from '../../../api/requests/types.ts';
import { useUnits } from '../../../context/context.ts';
import { Choice, Choices, Field } from '../../../ui/controls/field.tsx';
import { formatBytes } from '../../../../src-shared/format/quantities.ts';

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
  return /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/.test(id)
    ? null
    : 'Letters, digits, dots, hyphens and underscores; the first one a letter or a digit; at most 128.';
}

/** Id, title and place of the files. */
export function RegisterFields({ inspection, input, badId, onInput }: RegisterFieldsProps) {
  const units = useUnits();
  return (
    <>
      <Field label="Id" error={badId} hint="Part of every download URL. It cannot be changed later.">
        {(wiring) => (
          <input
            {...wiring}
            required
            spellCheck={false}
            autoComplete="off"
            maxLength={128}
            value={input.id}
            onChange={(event) => onInput({ ...input, id: event.target.value })}
          />
        )}
      </Field>
      <Field label="Title">
        {(wiring) => (
          <input
            {...wiring}
            maxLength={200}
            value={input.title}
            onChange={(event) => onInput({ ...input, title: event.target.value })}
          />
        )}
      </Field>
      <Choices legend="Files">
        <Choice
          type="radio"
          name="copy"
          label="Leave them where they are"
          meaning={
            inspection.kind === 'zip'
              ? 'Not possible for a ZIP: its files are unpacked into the library.'
              : 'Benchport serves them from there. If a file is changed later, Benchport notices and stops serving it.'
          }
          checked={!input.copy}
          disabled={inspection.kind === 'zip'}
          onChange={() => onInput({ ...input, copy: false })}
        />
        <Choice
          type="radio"
          name="copy"
          label="Copy them into the library"
          meaning={`Needs ${formatBytes(inspection.total_bytes, units)} more space; you may delete the originals afterwards.`}
          checked={input.copy}
          onChange={() => onInput({ ...input, copy: true })}
        />
      </Choices>
    </>
  );
}
