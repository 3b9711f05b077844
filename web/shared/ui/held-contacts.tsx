import './held-contacts.css';

import type { ReactNode } from 'react';

import { deleteHeldContacts } from '#contract/contact.ts';
import { heldContactsNote } from '#domain/lead.ts';
import { storedId } from '#web/shared/http/session.ts';
import { useCall } from '#web/shared/http/use-call.ts';

import { confirm } from './alert.ts';
import { DeleteButton } from './delete-button.tsx';

interface HeldContactsProps {
  readonly count: number;
  readonly onDeleted: () => void;
  /** The list. */
  readonly children: ReactNode;
}

export function HeldContacts({ count, onDeleted, children }: HeldContactsProps) {
  const { isBusy, failure, run } = useCall();
  const remove = async () => {
    if (!confirm('Delete all held contacts? They cannot be restored.')) return;
    if (await run(deleteHeldContacts, { params: { id: storedId() ?? '' } })) onDeleted();
  };
  return (
    <section aria-label="Held contacts">
      <p className="held-contacts-note">{heldContactsNote(count)}</p>
      {children}
      <DeleteButton
        label="Delete all held"
        isBusy={isBusy}
        failure={failure}
        onClick={() => void remove()}
      />
    </section>
  );
}
