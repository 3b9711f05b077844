import './root.css';

import { Outlet, ScrollRestoration, useNavigation } from 'react-router';

/** What stands around every page: a line at the top while the next one is on its way. */
export function Root() {
  const isLoading = useNavigation().state === 'loading';
  return (
    <>
      {isLoading && <div className="root-progress" aria-hidden="true" />}
      <Outlet />
      <ScrollRestoration />
    </>
  );
}
