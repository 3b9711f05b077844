import { useEffect, useState } from 'react';

import { checkConnection } from '#web/shared/http/connection.ts';
import { Button } from '#web/shared/ui/button.tsx';

import { Layout } from './layout.tsx';

/**
 * The login page is a document whose policy allows the provider's script, so the page is reloaded.
 */
export function Page() {
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
    <Layout>
      {hasFailed && (
        <div role="alert" className="widget-failed">
          <p>Sign-in could not be loaded. Check your network.</p>
          <Button onClick={() => setFailed(false)}>Try again</Button>
        </div>
      )}
    </Layout>
  );
}
