import './home.css';

import { firstName } from '#domain/display.ts';
import type { Profile } from '#domain/profile.ts';
import { useOwner } from '#web/http/owner.ts';
import { usePageTitle } from '#web/ui/page-title.ts';

import { Advertisement } from './advertisement.tsx';
import { Connections } from './connections.tsx';
import { HomeComing } from './home-coming.tsx';
import { MyCard } from './my-card.tsx';

/** The dashboard's Home (specification, section 2). */
export function Page() {
  usePageTitle('Dashboard');
  const profile = useOwner();
  return profile ? <Home profile={profile} /> : <HomeComing />;
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
