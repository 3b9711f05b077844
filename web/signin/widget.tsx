import '#web/login/login.css';
import './widget.css';

import { useEffect, useEffectEvent, useState } from 'react';

import type { ProviderSettings } from '#contract/browser-settings.ts';
import { logFailure } from '#web/http/log.ts';
import { Button } from '#web/ui/button.tsx';
import { LoadingNote, Skeleton } from '#web/ui/skeleton.tsx';

import { listenForToken, startWidget, widgetContainerId } from './provider.ts';

/** After this long without the script, the page says so; the script may still come. */
const SLOW_AFTER_MS = 8000;

interface WidgetProps {
  readonly provider: ProviderSettings;
  readonly onToken: (token: string) => unknown;
}

/** The login provider's widget: its container first, then its script. */
export function Widget({ provider, onToken }: WidgetProps) {
  const [attempt, setAttempt] = useState(1);
  const giveToken = useEffectEvent(onToken);
  useEffect(() => listenForToken((token) => giveToken(token)), []);
  return (
    <div className="widget">
      <div id={widgetContainerId(provider)} />
      <WidgetScript key={attempt} provider={provider} onRetry={() => setAttempt(attempt + 1)} />
    </div>
  );
}

interface WidgetScriptProps {
  readonly provider: ProviderSettings;
  readonly onRetry: () => void;
}

/** One attempt to load the script, and what there is to say meanwhile. */
function WidgetScript({ provider, onRetry }: WidgetScriptProps) {
  const [state, setState] = useState<'loading' | 'slow' | 'ready' | 'failed'>('loading');
  useEffect(() => {
    const slow = setTimeout(() => setState('slow'), SLOW_AFTER_MS);
    const load = async () => {
      try {
        await startWidget(provider);
        setState('ready');
      } catch (cause) {
        logFailure('The login provider did not load', cause);
        setState('failed');
      }
      clearTimeout(slow);
    };
    void load();
    return () => clearTimeout(slow);
  }, [provider]);

  if (state === 'ready') return null;
  if (state === 'failed') {
    return (
      <div role="alert" className="widget-failed">
        <p>Sign-in could not be loaded. Check your connection, or whether something blocks it.</p>
        <Button onClick={onRetry}>Try again</Button>
      </div>
    );
  }
  return (
    <>
      <div className="widget-coming">
        <Skeleton shape="widget-label" />
        <Skeleton shape="widget-input" />
        <Skeleton shape="widget-button" />
        <LoadingNote>Sign-in is loading</LoadingNote>
      </div>
      {state === 'slow' && <output>Sign-in is taking longer than usual.</output>}
    </>
  );
}
