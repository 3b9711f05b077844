import './error-screen.css';

import { useEffect } from 'react';
import { isRouteErrorResponse, useRouteError } from 'react-router';

import { logFailure } from './http/log.ts';
import { PATHS } from './paths.ts';
import { usePageTitle } from './ui/page-title.ts';

const NOT_FOUND = 404;

/** What is shown when a page fails, whatever failed: one sentence and one way out. */
export function ErrorScreen() {
  const error = useRouteError();
  const isUnknown = isRouteErrorResponse(error) && error.status === NOT_FOUND;
  usePageTitle('Unexpected Application Error!');
  useEffect(() => {
    if (!isUnknown) logFailure('A page failed', error);
  }, [error, isUnknown]);
  return (
    <main className="error-screen">
      <h1>Unexpected Application Error!</h1>
      <p>
        {isUnknown
          ? 'There is nothing at this address.'
          : 'This page could not be shown. What you saved is safe.'}
      </p>
      {/* A full load, so that whatever broke is left behind. */}
      <a className="ui-button ui-button-main" href={PATHS.start}>
        Start again
      </a>
    </main>
  );
}
