import { useEffect, useState } from 'react';

import { checkConnection } from '#web/shared/http/connection.ts';
import { queryClient } from '#web/shared/http/query.ts';
import { revokeSession } from '#web/shared/http/call.ts';
import { clearOwnerStorage, storedToken } from '#web/shared/http/storage.ts';
import { Button } from '#web/shared/ui/button.tsx';

/** Ends the session in this browser, and on the server if it answers in time. */
export async function logOut(): Promise<null> {
  const token = storedToken() ?? '';
  await Promise.all([clearOwnerStorage(), revokeSession(token)]);
  queryClient.clear();
  return null;
}

/** Reloads, because only the server's document has a policy that allows the login provider's script. */
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
        <p role="alert">We couldn't load the sign-in. Check your network.</p>
        <Button onClick={() => setFailed(false)}>Try again</Button>
      </main>
    )
  );
}
