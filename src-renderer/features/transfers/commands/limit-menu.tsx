import { useQuery, useQueryClient } from '@tanstack/react-query';
import { ChevronDown, Gauge } from 'lucide-react';
import { useState } from 'react';
import { toApiError } from '../../../api/requests/problem.ts';
import { useApp, useToast, useUnits } from '../../../context/context.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Dialog } from '../../../ui/dialogs/dialog.tsx';
import { DialogForm } from '../../../ui/dialogs/form.tsx';
import { formatRate, type SizeUnits } from '../../../../src-shared/format/quantities.ts';
import { Menu, type MenuEntry } from '../../../ui/controls/menu.tsx';
import { RateField } from '../../../ui/controls/rate-field.tsx';

const mebi = 1024 ** 2;
const mega = 1000 ** 2;
const steps = [1, 5, 20, 50, 100] as const;

/** The total rate limit of all transfers: one click away, because the network is shared. */
export function LimitMenu() {
  const { queries, actions } = useApp();
  const units = useUnits();
  const client = useQueryClient();
  const toast = useToast();
  const { data } = useQuery(queries.fetchSettings());
  const [asking, setAsking] = useState(false);
  if (data === undefined) return null;
  const limit = data.speed_limit;
  const set = async (next: number | null): Promise<void> => {
    client.setQueryData(
      queries.fetchSettings().queryKey,
      await actions.setFetchSettings({ ...data, speed_limit: next }),
    );
  };
  const choose = (next: number | null) => (): void => {
    set(next).catch((error: unknown) =>
      toast({ kind: 'bad', text: 'The limit could not be set', detail: toApiError(error).detail }),
    );
  };
  const entries = entriesOf(limit, units, choose, () => setAsking(true));
  const word = limit === null ? 'No limit' : formatRate(limit, units).replace('.0 ', ' ');
  return (
    <>
      <Menu
        align="end"
        entries={entries}
        trigger={
          <Button icon={<Gauge aria-hidden />} aria-label={`Speed limit: ${word}`}>
            {word}
            <ChevronDown aria-hidden />
          </Button>
        }
      />
      <Dialog
        open={asking}
        onClose={() => setAsking(false)}
        title="Limit the speed"
        width="narrow"
        description="It applies to all transfers together."
      >
        <LimitForm
          limit={limit}
          onCancel={() => setAsking(false)}
          onSet={async (next) => set(next).then(() => setAsking(false))}
        />
      </Dialog>
    </>
  );
}

function entriesOf(
  limit: number | null,
  units: SizeUnits,
  choose: (next: number | null) => () => void,
  onOther: () => void,
): MenuEntry[] {
  const unit = units === 'iec' ? mebi : mega;
  const known = limit === null || steps.some((step) => step * unit === limit);
  return [
    { kind: 'heading', id: 'head', label: 'Speed limit of all transfers' },
    { kind: 'item', id: 'none', label: 'No limit', checked: limit === null, run: choose(null) },
    ...steps.map((step): MenuEntry => ({
      kind: 'item',
      id: String(step),
      label: formatRate(step * unit, units).replace('.0 ', ' '),
      checked: limit === step * unit,
      run: choose(step * unit),
    })),
    {
      kind: 'item',
      id: 'other',
      label: known || limit === null ? 'Another…' : `Another, ${formatRate(limit, units)}…`,
      checked: !known,
      run: onOther,
    },
  ];
}

function LimitForm({
  limit,
  onCancel,
  onSet,
}: {
  readonly limit: number | null;
  readonly onCancel: () => void;
  readonly onSet: (limit: number | null) => Promise<void>;
}) {
  const [value, setValue] = useState<number | null | undefined>(limit);
  return (
    <DialogForm
      verb="Set limit"
      ready={value !== undefined}
      onCancel={onCancel}
      onSubmit={async () => onSet(value ?? null)}
    >
      <RateField label="At most" value={limit} onChange={setValue} />
    </DialogForm>
  );
}
