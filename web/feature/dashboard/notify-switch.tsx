import './connections.css';

import { useEffect, useId, useState } from 'react';

import { logFailure } from '#web/shared/http/log.ts';

import {
  areNotificationsBlocked,
  hasNotifications,
  restoreNotifications,
  switchNotificationsOff,
  switchNotificationsOn,
} from './notifications.ts';

const NOTES = {
  default: 'On this device, for each new connection.',
  blocked:
    'Your browser blocks notifications from this site. Allow them in the settings of the site, then switch this on.',
  failed: 'That did not work. Check your network and try again.',
} as const;

interface NotifySwitchProps {
  readonly userId: string;
  /** Whether somebody has connected. One that is on can be switched off in any case. */
  readonly isOffered: boolean;
}

/** Nothing where the browser has no notifications. */
export function NotifySwitch(props: NotifySwitchProps) {
  // The dashboard is rendered in the browser only.
  return hasNotifications() ? <Switch {...props} /> : null;
}

function Switch({ userId, isOffered }: NotifySwitchProps) {
  const [isOn, setOn] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [note, setNote] = useState<string>(() =>
    areNotificationsBlocked() ? NOTES.blocked : NOTES.default,
  );
  const noteId = useId();

  useEffect(() => {
    let isMounted = true;
    restoreNotifications(userId).then(
      (isSubscribed) => isMounted && setOn((before) => before || isSubscribed),
      (cause: unknown) => logFailure('The subscription was not read', cause),
    );
    return () => {
      isMounted = false;
    };
  }, [userId]);

  const toggle = async () => {
    setBusy(true);
    setNote(NOTES.default);
    const change = isOn ? switchNotificationsOff : switchNotificationsOn;
    const result = await change(userId);
    setBusy(false);
    if (result === 'on' || result === 'off') setOn(result === 'on');
    else setNote(typeof result === 'string' ? NOTES[result] : result.message);
  };

  if (!isOffered && !isOn) return null;
  return (
    <div className="notify row">
      <button
        type="button"
        role="switch"
        className="text-button notify-switch"
        aria-checked={isOn}
        aria-busy={isBusy}
        aria-describedby={noteId}
        onClick={() => {
          if (!isBusy) void toggle();
        }}
      >
        <span className="notify-track" />
        Notify me
      </button>
      <output id={noteId} className="notify-note note">
        {note}
      </output>
    </div>
  );
}
