import type { ReactNode } from 'react';

import { useMutation } from '@tanstack/react-query';

import { deleteHeldContacts } from '#contract/contact.ts';
import { heldContactsNote } from '#domain/lead.ts';
import { send } from '#web/shared/http/call.ts';
import { ownerParams } from '#web/shared/http/query.ts';

import { confirm } from './alert.ts';
import { DeleteButton } from './delete-button.tsx';

interface HeldContactsProps {
  readonly count: number;
  readonly onDeleted: () => void;
  /** The list. */
  readonly children: ReactNode;
}

export function HeldContacts({ count, onDeleted, children }: HeldContactsProps) {
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => send(deleteHeldContacts, { params: ownerParams() }),
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
