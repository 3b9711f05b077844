import './home.css';

import { firstName } from '#domain/display.ts';
import type { Profile } from '#domain/profile.ts';
import { storedId } from '#web/http/session.ts';
import { useOwner } from '#web/profile/profile-store.ts';
import { usePageTitle } from '#web/ui/page-title.ts';

import advertisement from './advertisement.svg';
import { Connections } from './connections.tsx';
import { HomeSkeleton } from './home-skeleton.tsx';
import { MyCard } from './my-card.tsx';

/** The dashboard's Home (docs/product.md#dashboard). */
export function Page() {
  usePageTitle('Dashboard');
  const profile = useOwner();
  return profile ? <Home profile={profile} /> : <HomeSkeleton userId={storedId()} />;
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
      <MyCard profile={profile} />
      <div className="home-side">
        <Connections userId={profile._id} />
        <Advertisement />
      </div>
    </div>
  );
}

/** The advertisement for physical cards. */
function Advertisement() {
  return (
    <img
      className="advertisement"
      src={advertisement}
      width={400}
      height={116}
      loading="lazy"
      alt="Hand it over with one tap. Smart business cards, sold in India only."
    />
  );
}
