import { useEffect, useState } from 'react';

import { checkConnection } from '#web/shared/http/connection.ts';
import { queryClient } from '#web/shared/http/query.ts';
import { revokeSession } from '#web/shared/http/call.ts';
import { clearOwnerStorage, storedToken } from '#web/shared/http/storage.ts';
import { Button } from '#web/shared/ui/button.tsx';

/** Ends the session, on the server too if it answers in time. */
export async function logOut(): Promise<null> {
  const token = storedToken() ?? '';
  await Promise.all([clearOwnerStorage(), revokeSession(token)]);
  queryClient.clear();
  return null;
}

/** The login page is a document of the server, whose policy allows the provider's script. */
export function LoginRedirect() {
  const [hasFailed, setFailed] = useState(false);
  useEffect(() => {
    if (hasFailed) return;
    const reload = async () => {
      if (await checkConnection()) location.reload();
      else setFailed(true);
    };
    void reload();
  }, [hasFailed]);
  return (
    hasFailed && (
      <main className="error-screen">
        <h1>Sign in</h1>
        <p role="alert">Sign-in could not be loaded. Check your network.</p>
        <Button onClick={() => setFailed(false)}>Try again</Button>
      </main>
    )
  );
}
