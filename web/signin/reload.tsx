import { useEffect, useState } from 'react';

import { logFailure } from '#web/http/log.ts';
import { PATHS } from '#web/paths.ts';
import { Button } from '#web/ui/button.tsx';

import { Frame } from './frame.tsx';

// Where this document came from the server; the login page's own cannot be helped by loading it again.
const cameAs = location.pathname.replace(/(?<=.)\/$/, '');
const isLoginDocument = cameAs === PATHS.start || cameAs === PATHS.login;

/** Loads this page from the server as soon as the server is there. */
export function Reload() {
  const [hasFailed, setFailed] = useState(isLoginDocument);
  useEffect(() => {
    if (hasFailed) return;
    const reload = async () => {
      if (await isReachable()) location.reload();
      else setFailed(true);
    };
    void reload();
  }, [hasFailed]);
  return (
    <Frame>
      {hasFailed && (
        <div role="alert" className="widget-failed">
          <p>Sign-in could not be loaded. Check your connection.</p>
          <Button onClick={() => setFailed(false)}>Try again</Button>
        </div>
      )}
    </Frame>
  );
}

async function isReachable(): Promise<boolean> {
  try {
    await fetch(location.pathname, { method: 'HEAD', cache: 'no-store' });
    return true;
  } catch (cause) {
    logFailure('The login page could not be reached', cause);
    return false;
  }
}
