import { isRouteErrorResponse, useRouteError } from 'react-router';

import { PATHS } from '#domain/path.ts';

import { usePageTitle } from './shared/ui/page-frame.tsx';

const NOT_FOUND_STATUS = 404;

/** docs/product.md#error-screen. */
export function ErrorScreen() {
  const error = useRouteError();
  const isNotFound = isRouteErrorResponse(error) && error.status === NOT_FOUND_STATUS;
  usePageTitle('Unexpected Application Error!');
  return (
    <main className="error-screen">
      <h1>Unexpected Application Error!</h1>
      <p>
        {isNotFound
          ? 'There is nothing at this address.'
          : 'This page could not be shown. What you saved is safe.'}
      </p>
      {/* A full page load, so that no broken state remains. */}
      <a className="ui-button ui-button-main" href={PATHS.start}>
        Start again
      </a>
    </main>
  );
}
