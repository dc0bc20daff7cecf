import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { BenchDetail, BenchExpectation } from '../../api/requests/types.ts';
import { useApp } from '../../context/context.ts';
import { SelectField, TextField } from '../../ui/controls/text-field.tsx';
import { Dialog } from '../../ui/dialogs/dialog.tsx';
import { DialogForm } from '../../ui/dialogs/form.tsx';
import { expectationWords } from '../../words/bench-words.ts';

const options = (Object.entries(expectationWords) as [BenchExpectation, string][]).map(([value, label]) => ({
  value,
  label,
}));

/** Names a bench, and says when its silence is to be told. */
export function EditBenchDialog({ bench, onClose }: { readonly bench: BenchDetail; readonly onClose: () => void }) {
  const { actions } = useApp();
  const client = useQueryClient();
  const [name, setName] = useState(bench.name === bench.reported_name ? '' : bench.name);
  const [note, setNote] = useState(bench.note);
  const [expected, setExpected] = useState<string>(bench.expected);
  async function save(): Promise<void> {
    await actions.changeBench(bench.id, {
      name: name.trim() === '' ? null : name.trim(),
      note: note.trim(),
      expected: options.find(({ value }) => value === expected)?.value ?? 'usual',
    });
    await client.invalidateQueries({ queryKey: ['benches'] });
    onClose();
  }
  return (
    <Dialog open onClose={onClose} title={`Edit ${bench.name}`} width="narrow">
      <DialogForm verb="Save" onSubmit={save} onCancel={onClose}>
        <TextField
          label="Name"
          hint="Leave empty for the name of its computer."
          placeholder={bench.reported_name}
          maxLength={100}
          value={name}
          onChange={setName}
        />
        <TextField label="Note" hint="Such as its room." maxLength={1000} value={note} onChange={setNote} />
        <SelectField
          label="Tell of its silence"
          hint="What is usual is known after a week of reports."
          value={expected}
          options={options}
          onChange={setExpected}
        />
      </DialogForm>
    </Dialog>
  );
}
