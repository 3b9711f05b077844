import './home.css';

import { useEffect } from 'react';
import { useNavigate } from 'react-router';

import { firstName } from '#domain/display.ts';
import type { Profile } from '#domain/profile.ts';
import { forgetProfile, useProfile } from '#web/http/profile.ts';
import { START_FACTS } from '#web/http/start-fact.ts';
import { PATHS } from '#web/paths.ts';
import { usePageTitle } from '#web/ui/page-title.ts';

import { Advertisement } from './advertisement.tsx';
import { Connections } from './connections.tsx';
import { HomeComing } from './home-coming.tsx';
import { MyCard } from './my-card.tsx';

/** The dashboard's Home (specification, section 2). */
export function Page() {
  usePageTitle('Dashboard');
  const state = useProfile();
  const navigate = useNavigate();
  const hasFailed = state.kind === 'failed';
  useEffect(() => {
    if (!hasFailed) return;
    forgetProfile();
    void navigate(PATHS.start, { replace: true, state: START_FACTS.userFetchFailed });
  }, [hasFailed, navigate]);
  return state.kind === 'ready' ? <Home profile={state.profile} /> : <HomeComing />;
}

function Home({ profile }: { readonly profile: Profile }) {
  return (
    <div className="home">
      <header className="home-greeting">
        <h1>
          Welcome <bdi>{firstName(profile)}</bdi>
        </h1>
        <p>Start building connections!</p>
      </header>
      <MyCard profile={profile}>
        <Advertisement />
      </MyCard>
      <Connections userId={profile._id} />
    </div>
  );
}
