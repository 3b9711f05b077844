import './connections.css';

import { useMutation, useQuery } from '@tanstack/react-query';
import { useId } from 'react';

import { queryClient } from '#web/shared/http/query.ts';

import {
  BLOCKED,
  hasNotifications,
  restoreNotifications,
  switchOff,
  switchOn,
} from './notifications.ts';

/** Read once in a page load. */
const QUERY = {
  queryKey: ['notifications'],
  queryFn: restoreNotifications,
  staleTime: Infinity,
} as const;

interface NotifySwitchProps {
  /** Whether somebody has connected. One that is on can be switched off in any case. */
  readonly isOffered: boolean;
}

/** Nothing where the browser has no notifications. */
export function NotifySwitch({ isOffered }: NotifySwitchProps) {
  const noteId = useId();
  const isSupported = hasNotifications();
  const { data: isOn = false } = useQuery({ ...QUERY, enabled: isSupported });
  const change = useMutation({
    mutationFn: isOn ? switchOff : switchOn,
    onSuccess: (isOnNow) => queryClient.setQueryData(QUERY.queryKey, isOnNow),
  });
  if (!isSupported || !(isOffered || isOn)) return null;
  const note =
    Notification.permission === 'denied' ? BLOCKED : 'On this device, for each new connection.';
  return (
    <div className="notify row">
      <button
        type="button"
        role="switch"
        className="text-button notify-switch"
        aria-checked={isOn}
        aria-busy={change.isPending}
        aria-describedby={noteId}
        onClick={() => !change.isPending && change.mutate()}
      >
        <span className="notify-track" />
        Notify me
      </button>
      <output id={noteId} className="notify-note note">
        {change.error?.message ?? note}
      </output>
    </div>
  );
}
