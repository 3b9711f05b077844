import { useQuery } from '@tanstack/react-query';

import { getCardAddress } from '#contract/card-address.ts';
import { cardAddressPath } from '#domain/card-address.ts';
import { cardPath } from '#domain/share.ts';
import { send } from '#web/shared/http/call.ts';
import { ownerQuery } from '#web/shared/http/query.ts';
import { settings } from '#web/shared/http/settings.ts';

export const cardOrigin = () => settings().publicUrl || location.origin;

/** Never changes, for what is printed. */
export function cardLink(userId: string): string {
  return cardOrigin() + cardPath(userId);
}

export const addressQuery = () =>
  ownerQuery(getCardAddress, (params) => send(getCardAddress, { params }), { isKept: true });

/** Returns the link with the card's address, if its owner has chosen one. */
export function useCardLink(userId: string): string {
  const name = useQuery(addressQuery()).data?.body.name;
  return name ? cardOrigin() + cardAddressPath(name) : cardLink(userId);
}
