import { useEffect, useRef } from 'react';

import { restoreContact } from '#contract/contacts.ts';
import type { OwnContact } from '#contract/contacts.ts';
import { UNDO_MS } from '#domain/contact-note.ts';
import { storedId } from '#web/http/session.ts';
import { Button } from '#web/ui/button.tsx';

import { useCall } from './use-call.ts';

interface UndoProps {
  readonly contact: OwnContact;
  readonly onRestored: () => void;
  /** Called when it can no longer be restored. */
  readonly onEnd: () => void;
}

/** The bar after a deletion, for ten seconds. */
export function Undo({ contact, onRestored, onEnd }: UndoProps) {
  const { isBusy, failure, run } = useCall();
  const element = useRef<HTMLDivElement>(null);
  const end = useRef(onEnd);
  useEffect(() => {
    end.current = onEnd;
  });
  useEffect(() => element.current?.querySelector('button')?.focus({ preventScroll: true }), []);
  useEffect(() => {
    // A request that runs is waited for.
    if (isBusy) return undefined;
    const timer = setTimeout(() => end.current(), UNDO_MS);
    return () => clearTimeout(timer);
  }, [isBusy]);

  const undo = async () => {
    const input = { params: { id: storedId() ?? '' }, body: { contact: contact._id } };
    if (await run(restoreContact, input)) onRestored();
  };
  return (
    <div ref={element} className="contacts-undo">
      <output>
        {failure || (
          <>
            <bdi>{contact.name}</bdi> is deleted.
          </>
        )}
      </output>
      <Button isBusy={isBusy} onClick={() => void undo()}>
        Undo
      </Button>
    </div>
  );
}
