import './connections.css';

import { useEffect, useState } from 'react';
import { Link } from 'react-router';

import { getContacts } from '#contract/contact.ts';
import type { Contact } from '#contract/contact.ts';
import { call } from '#web/http/call.ts';
import { PATHS } from '#web/paths.ts';
import { Button } from '#web/ui/button.tsx';
import { LoadingNote, Skeleton } from '#web/ui/skeleton.tsx';

import { ConnectionsTable } from './connections-table.tsx';

/** The table shows the newest ones (decisions, "The calls"). */
const NEWEST = 10;
const COMING_ROWS = ['first', 'second', 'third'] as const;

type State =
  | { readonly kind: 'loading' }
  | { readonly kind: 'failed' }
  | { readonly kind: 'ready'; readonly contacts: readonly Contact[] };

/** Recent Connections: who left their details on the card. */
export function Connections({ userId }: { readonly userId: string }) {
  const [attempt, setAttempt] = useState(1);
  return (
    <section className="connections" aria-labelledby="connections-title">
      <header className="connections-head">
        <h2 id="connections-title">Recent Connections</h2>
        <Link to={PATHS.dashboard}>See all</Link>
      </header>
      <Newest key={attempt} userId={userId} onRetry={() => setAttempt(attempt + 1)} />
    </section>
  );
}

interface NewestProps {
  readonly userId: string;
  readonly onRetry: () => void;
}

function Newest({ userId, onRetry }: NewestProps) {
  const [state, setState] = useState<State>({ kind: 'loading' });
  useEffect(() => {
    let isHere = true;
    const load = async () => {
      const given = { params: { id: userId }, query: { limit: NEWEST } };
      const { body } = await call(getContacts, given);
      if (isHere) setState(body ? { kind: 'ready', contacts: body } : { kind: 'failed' });
    };
    void load();
    return () => {
      isHere = false;
    };
  }, [userId]);

  if (state.kind === 'loading') return <Coming />;
  if (state.kind === 'ready') return <ConnectionsTable contacts={state.contacts} />;
  return (
    <div role="alert" className="connections-note">
      <p>Your connections could not be loaded.</p>
      <Button onClick={onRetry}>Try again</Button>
    </div>
  );
}

function Coming() {
  return (
    <div className="connections-coming">
      <LoadingNote>Your connections are loading</LoadingNote>
      {COMING_ROWS.map((row) => (
        <Skeleton key={row} shape="connections-coming-row" />
      ))}
    </div>
  );
}
