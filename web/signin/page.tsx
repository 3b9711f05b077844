import { useEffect, useState } from 'react';
import { useLocation } from 'react-router';

import { settings } from '#web/http/settings.ts';
import { PATHS } from '#web/paths.ts';

import { enter } from './entry.ts';
import { Reload } from './reload.tsx';
import { SignIn } from './sign-in.tsx';

/** The login page, at / and /login. */
export function Page() {
  const { provider } = settings();
  // The server names the provider on this page alone, and lets its script run on no other. Whoever
  // came from another page without a full load needs one.
  return provider ? <Entrance provider={provider} /> : <Reload />;
}

type Provider = NonNullable<ReturnType<typeof settings>['provider']>;

function Entrance({ provider }: { readonly provider: Provider }) {
  const { state } = useLocation();
  const [entry] = useState(() => enter(state));
  if (entry.goes === 'to the dashboard') return <Leave />;
  return <SignIn provider={provider} fact={entry.fact} />;
}

/** To the dashboard by a full load, as after signing in: this page's policy lets the provider in. */
function Leave() {
  useEffect(() => location.replace(PATHS.dashboard), []);
  return null;
}
