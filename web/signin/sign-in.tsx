import { useState } from 'react';

import type { ProviderSettings } from '#contract/browser-settings.ts';
import { PATHS } from '#web/paths.ts';
import type { StartFact } from '#web/http/start-fact.ts';
import { Button } from '#web/ui/button.tsx';
import { LoadingNote, Skeleton } from '#web/ui/skeleton.tsx';

import { finishSignIn } from './finish.ts';
import type { SignInEnd } from './finish.ts';
import { Frame } from './frame.tsx';
import { Widget } from './widget.tsx';

const REASONS: Readonly<Record<StartFact, string>> = {
  userFetchFailed: 'We could not load your card just now. Sign in again, or try once more.',
  sessionEnded: 'Your session is over. Sign in again; what you typed is kept.',
};

const REFUSALS: Readonly<Record<Exclude<SignInEnd, 'leaving'>, string>> = {
  refused: 'This sign-in is not valid any more. Try again with a new code.',
  unreachable: 'We could not finish signing you in just now.',
};

interface SignInProps {
  readonly provider: ProviderSettings;
  readonly fact: StartFact | null;
}

/** The provider's widget, and what becomes of its token. */
export function SignIn({ provider, fact }: SignInProps) {
  const [token, setToken] = useState('');
  const [end, setEnd] = useState<SignInEnd>('leaving');

  const finish = async (given: string) => {
    setToken(given);
    setEnd('leaving');
    setEnd(await finishSignIn(given));
  };
  // A refused token never does again: only a new page gives the widget a new start.
  const retry = () => (end === 'refused' ? location.reload() : void finish(token));

  return (
    <Frame>
      {fact !== null && token === '' && (
        <div className="signin-reason">
          <output>{REASONS[fact]}</output>
          {fact === 'userFetchFailed' && <a href={PATHS.dashboard}>Try once more</a>}
        </div>
      )}
      {token !== '' && end === 'leaving' && <Leaving />}
      {end !== 'leaving' && (
        <div role="alert" className="widget-failed">
          <p>{REFUSALS[end]}</p>
          <Button look="main" onClick={retry}>
            Try again
          </Button>
        </div>
      )}
      {/* The container stays where it is: the provider's script knows it. */}
      <div hidden={token !== ''}>
        <Widget provider={provider} onToken={finish} />
      </div>
    </Frame>
  );
}

function Leaving() {
  return (
    <div className="widget">
      <LoadingNote>Signing in</LoadingNote>
      <Skeleton shape="widget-label" />
      <Skeleton shape="widget-button" />
    </div>
  );
}
