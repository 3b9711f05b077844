import { useEffect, useEffectEvent } from 'react';
import { useLocation } from 'react-router';

import { findContacts } from '#contract/contacts-view.ts';
import type { OwnContact } from '#contract/contacts-view.ts';
import { call } from '#web/shared/http/call.ts';

/** Opens the contact that was pressed on the dashboard, wherever it is in the list. */
export function useOpenedContact(select: (contact: OwnContact) => void): void {
  const { state } = useLocation() as { state: { readonly contact?: string } | null };
  const id = state?.contact;
  const open = useEffectEvent(async (contact: string) => {
    // One digit more sorts directly after it, so it is the first of the page.
    const body = { after: `${contact}0` };
    const result = await call(findContacts, { body });
    const [first] = result.body?.contacts ?? [];
    if (first?._id === contact) select(first);
  });
  useEffect(() => {
    if (id !== undefined) void open(id);
  }, [id]);
}
