import { useState } from 'react';

import { endOtherSessions } from '#contract/account.ts';
import type { AccountSession } from '#contract/account.ts';
import { call } from '#web/http/call.ts';
import { failureSentence } from '#web/http/failure.ts';
import { storedId } from '#web/http/session.ts';
import { Button } from '#web/ui/button.tsx';

interface SessionsProps {
  readonly sessions: readonly AccountSession[];
  readonly onChanged: () => void;
}

export function Sessions({ sessions, onChanged }: SessionsProps) {
  const [isBusy, setBusy] = useState(false);
  const [message, setMessage] = useState('');

  const endOthers = async () => {
    setBusy(true);
    setMessage('');
    const result = await call(endOtherSessions, { params: { id: storedId() ?? '' } });
    setBusy(false);
    setMessage(result.body ? 'You are logged out everywhere else.' : failureSentence(result));
    if (result.body) onChanged();
  };

  return (
    <section className="account-section" aria-labelledby="account-sessions">
      <h2 id="account-sessions">Signed in on</h2>
      <ul className="account-sessions">
        {sessions.map((session) => (
          <Session key={`${session.signedInAt} ${session.usedAt} ${session.device}`} {...session} />
        ))}
      </ul>
      <Button isBusy={isBusy} onClick={() => void endOthers()}>
        Log out everywhere else
      </Button>
      <output className="account-message">{message}</output>
    </section>
  );
}

function Session({ device, signedInAt, usedAt, isCurrent }: AccountSession) {
  return (
    <li>
      <p className="account-device">
        <span dir="auto">{device || 'Unknown device'}</span>
        {isCurrent && <span className="account-current">this device</span>}
      </p>
      <p className="account-note">
        Signed in {formatTime(signedInAt)}
        <br />
        Last used {formatTime(usedAt)}
      </p>
    </li>
  );
}

function formatTime(iso: string): string {
  return new Date(iso).toLocaleString('en-IN', { dateStyle: 'medium', timeStyle: 'short' });
}
