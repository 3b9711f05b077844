import { useEffect, useEffectEvent } from 'react';

import { API_ERRORS } from '#contract/api-error.ts';
import { CARD_BLOCKED_FOR_OWNER } from '#domain/blocked-card.ts';
import { FORBIDDEN_STATUS } from '#web/shared/http/call.ts';
import { useIsOffline } from '#web/shared/http/use-is-offline.ts';
import { showAlert } from '#web/shared/ui/alert.ts';

import { useQueue } from './profile-store.ts';
import type { Queue } from './queue.ts';

/** If its status has one (docs/product.md#messages). */
export function alertSaveFailure(status: number): void {
  if (status === FORBIDDEN_STATUS) showAlert('Session logged out');
  if (status === API_ERRORS.card_blocked) showAlert(CARD_BLOCKED_FOR_OWNER);
}

/** When the page opens, or there is a network again. */
export function useQueuedSave(send: (queue: Queue) => void): void {
  const queue = useQueue();
  const isOffline = useIsOffline();
  const sendQueue = useEffectEvent(send);
  useEffect(() => {
    if (queue && !isOffline) sendQueue(queue);
  }, [queue, isOffline]);
}
