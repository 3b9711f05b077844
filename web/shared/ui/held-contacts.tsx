import type { ReactNode } from 'react';

import { useMutation } from '@tanstack/react-query';

import { deleteHeldContacts } from '#contract/contact.ts';
import { heldContactsNote } from '#domain/lead.ts';
import { send } from '#web/shared/http/call.ts';
import { confirm } from '#web/shared/http/report.ts';

import { Button } from './button.tsx';

interface HeldContactsProps {
  readonly count: number;
  readonly onDeleted: () => void;
  /** The list. */
  readonly children: ReactNode;
}

export function HeldContacts({ count, onDeleted, children }: HeldContactsProps) {
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => send(deleteHeldContacts),
    onSuccess: onDeleted,
  });
  const remove = () => {
    if (confirm('Delete all held contacts? They cannot be restored.')) mutate();
  };
  return (
    <section aria-label="Held contacts">
      <p className="held-contacts-note muted">{heldContactsNote(count)}</p>
      {children}
      <DeleteButton
        label="Delete all held"
        isBusy={isPending}
        failure={error?.message ?? ''}
        onClick={remove}
      />
    </section>
  );
}

interface DeleteButtonProps {
  readonly label: string;
  readonly isBusy: boolean;
  /** '' for none. */
  readonly failure: string;
  readonly onClick: () => void;
}

export function DeleteButton({ label, isBusy, failure, onClick }: DeleteButtonProps) {
  return (
    <div>
      <Button variant="plain" className="delete-button" isBusy={isBusy} onClick={onClick}>
        {label}
      </Button>
      <output className="delete-failure error">{failure}</output>
    </div>
  );
}
