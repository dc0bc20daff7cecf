import { useEffect, useRef, type ReactNode } from 'react';
import { Button } from '../controls/button.tsx';
import { DialogFoot } from './dialog-foot.tsx';
import styles from './dialog-foot.module.css';
import { ProblemNote, type ProblemNoteProps } from '../notes/problem-note.tsx';
import { useSubmit } from '../hooks/use-submit.ts';

export interface FormProps {
  readonly onSubmit: () => Promise<unknown>;
  /** Label of the submit button. */
  readonly verb: string;
  readonly children: ReactNode;
  /** Whether the form is complete and valid, as far as the client can check. */
  readonly ready?: boolean;
  /** Other buttons beside the submit button. */
  readonly beside?: ReactNode;
}

/** A form on a page: its fields, the failure, and its buttons. */
export function Form({ beside, children, ...form }: FormProps) {
  return (
    <Fields {...form} fields={children}>
      {(submit) => (
        <div className="row middle">
          {submit}
          {beside}
        </div>
      )}
    </Fields>
  );
}

export interface DialogFormProps extends Omit<FormProps, 'beside'> {
  readonly onCancel: () => void;
  /** Further actions after a failure. */
  readonly remedy?: ReactNode;
}

/** The form in a dialog: Cancel and the submit button stay visible however long it is. */
export function DialogForm({ onCancel, children, ...form }: DialogFormProps) {
  return (
    <Fields {...form} fields={children}>
      {(submit) => (
        <DialogFoot>
          <Button onClick={onCancel}>Cancel</Button>
          {submit}
        </DialogFoot>
      )}
    </Fields>
  );
}

interface FieldsProps extends Omit<DialogFormProps, 'onCancel' | 'children'> {
  readonly fields: ReactNode;
  /** The footer around the submit button. */
  readonly children: (submit: ReactNode) => ReactNode;
}

function Fields({ onSubmit, verb, fields, ready = true, remedy, children }: FieldsProps) {
  const { busy, failure, submit } = useSubmit(onSubmit);
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      {fields}
      {failure === null ? null : <Failure error={failure} action={remedy} />}
      {children(
        <Button look="primary" type="submit" busy={busy} disabled={!ready}>
          {verb}
        </Button>,
      )}
    </form>
  );
}

/** Brings itself into view: the button is, however far a long form is scrolled. */
function Failure(note: ProblemNoteProps) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // Newer browsers return a promise, which React would take for a clean-up.
    place.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  return (
    <div ref={place} className={styles['failure']}>
      <ProblemNote {...note} />
    </div>
  );
}
