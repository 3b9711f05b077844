import { useState } from 'react';

import { useMutation } from '@tanstack/react-query';

import { endOtherSessions } from '#contract/account.ts';
import type { AccountSession } from '#contract/account.ts';
import { send } from '#web/shared/http/call.ts';
import { settings } from '#web/shared/http/settings.ts';
import { Button, LineIcon } from '#web/shared/ui/button.tsx';
import { arrivalPhrase } from '#web/shared/ui/date-text.ts';

const TITLE_ID = 'account-sessions';
const DONE = {
  none: 'You are logged out everywhere else.',
  contacts: 'You are logged out everywhere else, and other software gets no more contacts.',
};
const PHONES = /Android|iOS/;

interface SessionsProps {
  readonly sessions: readonly AccountSession[];
  readonly onChanged: () => void;
}

export function Sessions({ sessions, onChanged }: SessionsProps) {
  const endOthers = useMutation({
    mutationFn: () => send(endOtherSessions),
    onSuccess: onChanged,
  });
  const failure = endOthers.isError ? endOthers.error.message : '';

  return (
    <section className="account-section account-devices panel" aria-labelledby={TITLE_ID}>
      <h2 id={TITLE_ID}>Signed in on</h2>
      <ul className="account-sessions">
        {sessions.map((session) => (
          <Session key={`${session.signedInAt} ${session.usedAt} ${session.device}`} {...session} />
        ))}
      </ul>
      <div className="account-action">
        <Button isBusy={endOthers.isPending} onClick={() => endOthers.mutate()}>
          Log out everywhere else
        </Button>
        <output className="account-message message">
          {endOthers.isSuccess
            ? DONE[settings().views.includes('contacts') ? 'contacts' : 'none']
            : failure}
        </output>
      </div>
    </section>
  );
}

function Session({ device, signedInAt, usedAt, isCurrent }: AccountSession) {
  const [now] = useState(() => new Date());
  return (
    <li>
      <span className="account-icon corner-tile">
        <LineIcon name={PHONES.test(device) ? 'phone' : 'computer'} />
      </span>
      <div>
        <p className="account-device row">
          <span dir="auto">{device || 'Unknown device'}</span>
          {isCurrent && <span className="account-current tag">this device</span>}
        </p>
        <p className="note">
          Signed in {arrivalPhrase(new Date(signedInAt), now)}
          <br />
          Last used {arrivalPhrase(new Date(usedAt), now)}
        </p>
      </div>
    </li>
  );
}
