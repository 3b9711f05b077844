import './signature.css';

import { useRef, useState } from 'react';

import { mailHref } from '#domain/href.ts';
import { PATHS } from '#domain/path.ts';
import type { Profile } from '#domain/profile.ts';
import { signatureText } from '#domain/signature.ts';
import { logFailure } from '#web/shared/http/report.ts';
import { useCardLink, useCardLook } from '#web/shared/profile/card.ts';
import { useOwner } from '#web/shared/profile/profile.ts';
import { Button } from '#web/shared/ui/button.tsx';
import { LoadingStatus, Skeleton } from '#web/shared/ui/loading.tsx';
import { PageFrame } from '#web/shared/ui/page-frame.tsx';
import { usePhones } from '#web/shared/ui/phone-text.ts';

import { Signature } from './signature.tsx';

/** docs/product.md#e-mail-signature. */
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
  const { formatPhone, phoneHref } = usePhones();
  const phoneText = formatPhone(profile.phone);
  const table = useRef<HTMLTableElement>(null);
  const [message, setMessage] = useState('');
  const link = useCardLink(profile._id);
  const copy = () => {
    if (!table.current) return;
    setMessage('');
    try {
      copyRichText(table.current, signatureText({ ...profile, phone: phoneText }, link));
      setMessage('The signature is copied. Paste it into the signature of your mail program.');
    } catch (cause) {
      logFailure('The signature was not copied', cause);
      setMessage('The signature was not copied. Select it and copy it by hand.');
    }
  };
  return (
    <>
      <div className="signature-preview drawn-lines panel">
        <Signature
          ref={table}
          profile={profile}
          colour={palette.deep.light}
          phoneText={phoneText}
          phoneHref={phoneHref(profile.phone)}
          link={link}
        />
      </div>
      <Button variant="main" onClick={copy}>
        Copy signature
      </Button>
      <output className="message">{message}</output>
      <OnComputer email={profile.email} />
      <Steps />
      {profile.profilePhoto !== '' && !link.startsWith('https:') && (
        <p className="note">
          Mail programs show the photo only from an address that begins with https. This service has
          none yet.
        </p>
      )}
    </>
  );
}

function Steps() {
  return (
    <ol className="signature-steps stack">
      <li>Copy the signature. It goes below your mails and leads to your card.</li>
      <li>
        Open the signatures of your mail program: in Gmail under Settings, General, Signature; in
        Outlook under Settings, Mail, Compose and reply.
      </li>
      <li>Paste it there, and save.</li>
    </ol>
  );
}

/** On a phone only. */
function OnComputer({ email }: { readonly email: string }) {
  const body = encodeURIComponent(location.href);
  return (
    <aside className="signature-computer stack">
      <h2>Open this page on your computer</h2>
      <p className="muted">
        Most mail programs on phones keep no signature with a photo and links.
      </p>
      <a
        className="ui-button ui-button-main"
        href={`${mailHref(email)}?subject=E-mail%20signature&body=${body}`}
      >
        Mail me the link
      </a>
    </aside>
  );
}

/**
 * The clipboard API would apply this page's policy to inline styles. Throws if nothing was copied.
 */
function copyRichText(element: Element, text: string): void {
  const setData = (event: ClipboardEvent) => {
    event.clipboardData?.setData('text/html', element.outerHTML);
    event.clipboardData?.setData('text/plain', text);
    event.preventDefault();
  };
  // Safari copies only a selection.
  const selection = getSelection();
  selection?.selectAllChildren(element);
  document.addEventListener('copy', setData);
  const isCopied = document.execCommand('copy');
  document.removeEventListener('copy', setData);
  selection?.removeAllRanges();
  if (!isCopied) throw new Error('The browser did not copy the signature');
}
