import { useQuery } from '@tanstack/react-query';

import { LoadState } from '#web/shared/ui/note-box.tsx';

import { addressQuery, appearanceQuery } from './card.ts';

/** Pages that show the card show this failure. Until the card's look is loaded, they use the default look. */
export function LookFailure() {
  const query = useQuery(appearanceQuery());
  return <LoadState query={query} sentence="We couldn't load your card's look." />;
}

/** Pages that give a link to the card show this failure. Until the link's name is loaded, they use the id. */
export function AddressFailure() {
  const query = useQuery(addressQuery());
  return (
    <LoadState
      query={query}
      sentence="We couldn't load your card link. Until then, the link uses your card's id."
      offline="Your card link needs a network. Until then, the link uses your card's id."
    />
  );
}
