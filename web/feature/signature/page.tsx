import './signature.css';

import { useRef, useState } from 'react';

import { mailHref } from '#domain/href.ts';
import { PATHS } from '#domain/path.ts';
import type { Profile } from '#domain/profile.ts';
import { signatureText } from '#domain/signature.ts';
import { logFailure } from '#web/shared/http/report.ts';
import { useCardLink, useCardLook } from '#web/shared/profile/card.ts';
import { AddressFailure, LookFailure } from '#web/shared/profile/failures.tsx';
import { useCallLink, useOwner } from '#web/shared/profile/profile.ts';
import { Button } from '#web/shared/ui/button.tsx';
import { copySelection } from '#web/shared/ui/copy-text.ts';
import { LoadingStatus, Skeleton } from '#web/shared/ui/loading.tsx';
import { PageFrame } from '#web/shared/ui/page-frame.tsx';
import { usePhoneFormat } from '#web/shared/ui/phone-text.ts';

import { Signature } from './signature.tsx';

/** The page 'E-mail signature' (docs/develop/product.md#e-mail-signature). */
export function Page() {
  const profile = useOwner();
  return (
    <PageFrame title="E-mail signature" backPath={PATHS.dashboard}>
      <div className="signature stack">
        {profile ? (
          <SignatureSection profile={profile} />
        ) : (
          <>
            <LoadingStatus>Your signature is loading</LoadingStatus>
            <Skeleton className="signature-skeleton-preview" width="100%" height="228px" />
            <Skeleton width="160px" height="var(--target)" />
          </>
        )}
      </div>
    </PageFrame>
  );
}

function SignatureSection({ profile }: { readonly profile: Profile }) {
  const { palette } = useCardLook(profile);
  const phoneText = usePhoneFormat().formatPhone(profile.phone);
  const phoneHref = useCallLink(profile);
  const table = useRef<HTMLTableElement>(null);
  const [message, setMessage] = useState('');
  const link = useCardLink(profile._id);
  const copy = () => {
    if (!table.current) return;
    setMessage('');
    try {
      // The clipboard API would apply this page's Content-Security-Policy to the inline styles.
      copySelection(table.current, {
        'text/html': table.current.outerHTML,
        'text/plain': signatureText({ ...profile, phone: phoneText }, link),
      });
      setMessage("Signature copied. Paste it into your email app's signature settings.");
    } catch (cause) {
      logFailure('The signature was not copied', cause);
      setMessage("We couldn't copy the signature. Select it and copy it by hand.");
    }
  };
  return (
    <>
      <LookFailure />
      <AddressFailure />
      <div className="signature-preview drawn-lines panel">
        <Signature
          ref={table}
          profile={profile}
          colour={palette.deep.light}
          phoneText={phoneText}
          phoneHref={phoneHref}
          link={link}
        />
      </div>
      <Button variant="main" onClick={copy}>
        Copy signature
      </Button>
      <output className="message">{message}</output>
      <OpenOnComputer email={profile.email} />
      <Steps />
      {profile.profilePhoto !== '' && !link.startsWith('https:') && (
        <p className="note">
          Email apps only show photos from https links, and this service doesn't have one yet.
        </p>
      )}
    </>
  );
}

function Steps() {
  return (
    <ol className="signature-steps stack">
      <li>Copy the signature. It goes below your emails and links to your card.</li>
      <li>
        Open your email app's signature settings. In Gmail: Settings, General, Signature. In
        Outlook: Settings, Mail, Compose and reply.
      </li>
      <li>Paste it there, and save.</li>
    </ol>
  );
}

/** Only phones show this advice. */
function OpenOnComputer({ email }: { readonly email: string }) {
  const body = encodeURIComponent(location.href);
  return (
    <aside className="signature-computer stack">
      <h2>Open this page on your computer</h2>
      <p className="muted">
        Most email apps on phones can't keep a signature with a photo and links.
      </p>
      <a
        className="ui-button ui-button-main"
        href={`${mailHref(email)}?subject=E-mail%20signature&body=${body}`}
      >
        Email me the link
      </a>
    </aside>
  );
}
