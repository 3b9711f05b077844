import '#web/otp/otp.css';
import './widget.css';

import { useEffect, useEffectEvent, useState } from 'react';

import type { ProviderSettings } from '#contract/browser-settings.ts';
import { SECOND_MS } from '#domain/duration.ts';
import { logFailure } from '#web/http/log.ts';
import { Button } from '#web/ui/button.tsx';
import { LoadingStatus, Skeleton } from '#web/ui/loading.tsx';

import type { OnToken, ProviderWidget } from './provider-widget.ts';
import { embedded, msg91, otpless } from './script-widgets.ts';

const FIREBASE_CONTAINER_ID = 'firebase-login-page';

/** Firebase has no widget, so this one is ours, in a chunk that only this provider loads. */
const firebase: ProviderWidget = {
  containerId: FIREBASE_CONTAINER_ID,
  async start(provider, onToken) {
    const { openFirebase } = await import('./firebase-phone.ts');
    const phoneSignIn = await openFirebase(provider);
    const { createFirebaseForm } = await import('./firebase-form.ts');
    document
      .getElementById(FIREBASE_CONTAINER_ID)
      ?.replaceChildren(createFirebaseForm(phoneSignIn, onToken));
  },
};

const WIDGETS: Readonly<Record<ProviderSettings['kind'], ProviderWidget>> = {
  embedded,
  otpless,
  msg91,
  firebase,
};

/** The listener of the mounted widget. A provider's script keeps the callback of its first start. */
let tokenListener: OnToken = () => undefined;

interface WidgetProps {
  readonly provider: ProviderSettings;
  readonly onToken: OnToken;
}

/** The login provider's widget: the container and the attempts to load its script. */
export function Widget({ provider, onToken }: WidgetProps) {
  const [attempt, setAttempt] = useState(1);
  const passToken = useEffectEvent(onToken);
  useEffect(() => {
    tokenListener = (token) => passToken(token);
  }, []);
  return (
    <div className="widget">
      <div id={WIDGETS[provider.kind].containerId} />
      <WidgetLoader key={attempt} provider={provider} onRetry={() => setAttempt(attempt + 1)} />
    </div>
  );
}

/** After this time the page shows that loading is slow. The script may still load. */
const SLOW_AFTER_MS = 8 * SECOND_MS;

interface WidgetLoaderProps {
  readonly provider: ProviderSettings;
  readonly onRetry: () => void;
}

/** One attempt to load the script, with its status. */
function WidgetLoader({ provider, onRetry }: WidgetLoaderProps) {
  const [state, setState] = useState<'loading' | 'slow' | 'ready' | 'failed'>('loading');
  useEffect(() => {
    const slow = setTimeout(() => setState('slow'), SLOW_AFTER_MS);
    const load = async () => {
      try {
        await WIDGETS[provider.kind].start(provider, (token) => tokenListener(token));
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
      <div className="widget-skeleton">
        <Skeleton className="widget-label" />
        <Skeleton className="widget-input" />
        <Skeleton className="widget-button" />
        <LoadingStatus>Sign-in is loading</LoadingStatus>
      </div>
      {state === 'slow' && <output>Sign-in is taking longer than usual.</output>}
    </>
  );
}
